// Elements of a page.

// Return the element of an id, which is of the class `Kind`.
/** @template {Element} [T=HTMLElement] @param {string} id @param {new () => T} Kind @returns {T} */
export function byId(id, Kind = /** @type {any} */ (HTMLElement)) {
  const element = document.getElementById(id);
  if (!(element instanceof Kind)) {
    throw new Error(`The page has no ${Kind.name} "${id}".`);
  }
  return element;
}

// Return the first element within another one that a selector matches.
/** @param {ParentNode} root @param {string} selector @returns {HTMLElement} */
export function find(root, selector) {
  const element = root.querySelector(selector);
  if (!(element instanceof HTMLElement)) {
    throw new Error(`The page has no "${selector}".`);
  }
  return element;
}

/** @template {keyof SVGElementTagNameMap} K @param {K} name @param {Record<string, string | number>} attributes */
export function svgPart(name, attributes) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => part.setAttribute(key, String(value)));
  return part;
}
