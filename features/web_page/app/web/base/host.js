// Messages to and from the page around this one, its host. Only the window around is heard, and only if it is of an
// origin that is allowed: one of the export, or else the one that the address names, or else the page's own.

const VERSION = 1;
const BETWEEN_MS = 100;  // between two messages of a kind that comes often
const LONGEST_TEXT = 20000;  // characters of a text in a message

// Return whether a text is an origin, such as https://course.example. Files and sandboxes have none.
/** @param {string} text */
export function isOrigin(text) {
  return /^https?:\/\/[^/?#\s]+$/.test(text) && URL.canParse?.(text) !== false && new URL(text).origin === text;
}

/** @param {unknown} value @returns {value is string} */
export const isText = (value) => typeof value === "string" && value.length <= LONGEST_TEXT;
/** @param {unknown} value @returns {value is number} */
export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// Return the connection to the host. `takers` take the messages of each kind, and check what they hold; `greeting` gives
// what answers a hello.
/**
 * @param {string[]} exported
 * @param {string | null} named
 * @param {Record<string, (message: Record<string, unknown>) => void>} takers
 * @param {() => object} greeting
 */
export function makeHost(exported, named, takers, greeting) {
  const around = window.parent, known = new Map(Object.entries(takers));
  const allowed = (exported.length > 0 ? exported : [named ?? window.location.origin]).filter(isOrigin);
  /** @type {string | null} */
  let origin = null;  // of the host that has said hello
  /** @type {unknown[]} */
  let wanted = [];
  /** @type {Map<string, object>} */
  const waiting = new Map();
  let timer = 0;

  /** @param {string} to @param {string} type @param {object} content */
  const post = (to, type, content) => around.postMessage({ framescope: VERSION, type, ...content }, to);
  const hasHost = () => around !== window;
  /** @param {string} type */
  const wants = (type) => origin !== null && wanted.includes(type);

  /** @param {string} type @param {object} content */
  function send(type, content) {
    if (origin !== null && wants(type)) {
      post(origin, type, content);
    }
  }

  function sendWaiting() {
    timer = 0;
    if (waiting.size > 0) {
      waiting.forEach((content, type) => send(type, content));
      waiting.clear();
      timer = window.setTimeout(sendWaiting, BETWEEN_MS);
    }
  }

  /** @param {MessageEvent} event */
  function take({ source, origin: from, data }) {
    const isHeard = source === around && allowed.includes(from) && data !== null && typeof data === "object"
      && data.framescope === VERSION && isText(data.type);
    if (!isHeard) {
      return;
    }
    if (data.type === "hello") {
      origin = from;
      wanted = Array.isArray(data.events) ? data.events.filter(isText) : [];
      post(from, "welcome", greeting());
    }
    known.get(data.type)?.(data);
  }

  if (hasHost()) {
    window.addEventListener("message", take);
    const above = window.location.ancestorOrigins;  // not in every browser
    allowed.filter((to) => !above || above[0] === to).forEach((to) => post(to, "ready", {}));
  }
  return {
    send, wants, origin: () => origin,
    // Send a message that comes often: the latest of its kind, now or a little later.
    /** @param {string} type @param {object} content */
    sendSoon(type, content) {
      if (wants(type)) {
        waiting.set(type, content);
        if (timer === 0) {
          sendWaiting();
        }
      }
    },
  };
}
