// Controls that only some pages have. The module of a control adds it to the table; the entry module of a page imports
// the controls of that page before `main.js`, which makes those that are there.

export const parts = { makeSliders: null, makeGrab: null, makeStaged: null, makeStagedTags: null };
