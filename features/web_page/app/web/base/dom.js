// Elements of a page.

// Return the element of an id; its class is `Kind`.
export function byId(id, Kind = HTMLElement) {
  const element = document.getElementById(id);
  if (!(element instanceof Kind)) {
    throw new Error(`The page has no ${Kind.name} #${id}.`);
  }
  return element;
}

export function svgPart(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  return made;
}
