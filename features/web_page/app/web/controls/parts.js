// Controls that only some pages have. The module of a control adds its function to this table. The entry module of a
// page imports the controls of that page before `main.js`, which makes those in the table.

/** @type {Parts} */
export const parts = { makeSliders: null, makeGrab: null, makeStaged: null, makeStagedTags: null, makeMessages: null };
