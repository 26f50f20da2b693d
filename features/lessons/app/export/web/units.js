// Units that a reader types: the spellings of the program's table, read as `quantities.py` reads them.

const SIGNS = { "⁻": "-", "−": "-", "⁰": "0", "¹": "1", "²": "2", "³": "3" };
/** @type {Record<number, string>} */
const POWERS = { 2: "²", 3: "³" };

// Return a unit with the names and the signs of the program.
/** @param {string} written @param {Record<string, string>} spellings */
function normalize(written, spellings) {
  const text = written.trim(), whole = spellings[text.toLowerCase()];
  if (whole) {
    return whole;
  }
  /** @type {Map<string, number>} */
  const powers = new Map();
  const plain = text.replace(/\s+per\s+/g, "/").replace(/\s+squared\b/g, "^2").replace(/Nm/g, "N m");
  plain.split("/").forEach((part, i) => {
    part.trim().split(/[\s·⋅]+|(?<!\*)\*(?!\*)/).filter(Boolean).forEach((factor) => {
      const signs = factor.replace(/[⁻−⁰¹²³]/g, (sign) => SIGNS[/** @type {keyof typeof SIGNS} */ (sign)]);
      const match = /^(.*?[^\d^*-])(?:\^|\*\*)?\{?(-?\d)?\}?$/.exec(signs);
      const written = match?.[1] ?? factor, name = spellings[written.toLowerCase()] ?? written;
      powers.set(name, (powers.get(name) ?? 0) + (i ? -1 : 1) * Number(match?.[2] ?? 1));
    });
  });
  const [over, under] = [1, -1].map((sign) => [...powers].filter(([, power]) => power * sign > 0)
    .map(([name, power]) => `${name}${POWERS[Math.abs(power)] ?? ""}`).join(" "));
  return under ? `${over}/${under}` : over;
}

// Return why a text is no answer; empty for a number in a unit that fits, and for no text.
/** @param {NumberKey} key @param {string} typed */
export function faultIn(key, typed) {
  if (typed.trim() === "" || Number.isFinite(numberIn(key, typed))) {
    return "";
  }
  const written = /^[-+]?\s?(?:\d+(?:[.,]\d*)?|[.,]\d+)\s*([^\d\s.,].*)$/.exec(typed.replace(/[\u2212\u2013]/g, "-").trim());
  const units = Object.keys(key.units?.factors ?? {});
  if (written === null) {
    return "That is no number. Type one, such as 0.5 or 1e-3.";
  }
  const use = units.length ? `Use ${units.join(", ")}.` : "Type the number alone.";
  return `${written[1]} is no unit of this answer. ${use}`;
}

// Return the number that a text has, in the unit of the question; NaN where it has none.
/** @param {NumberKey} key @param {string} typed */
export function numberIn(key, typed) {
  const text = typed.replace(/[\u2212\u2013]/g, "-").trim();
  const match = /^([-+]?\s?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[-+]?\d+)?)(?:\s*\/\s*(\d+(?:[.,]\d+)?))?\s*(.*)$/i.exec(text);
  if (match === null) {
    return NaN;
  }
  /** @param {string} part */
  const number = (part) => Number(part.replace(",", ".").replace(/\s/g, ""));
  const value = number(match[1]) / (match[2] ? number(match[2]) : 1), written = match[3];
  if (written === "") {
    return value;
  }
  const { factors, spellings } = key.units ?? { factors: {}, spellings: {} };
  const known = factors[written] ?? factors[normalize(written, spellings)];
  const isOneCase = written === written.toLowerCase() || written === written.toUpperCase();  // Mm is no mm
  const folded = Object.keys(factors).find((unit) => isOneCase && unit.toLowerCase() === written.toLowerCase());
  return value * (known ?? (folded === undefined ? NaN : factors[folded]));
}
