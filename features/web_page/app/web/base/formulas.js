// Formulas of the scene's own motion. An exported page with sliders has a module of this name that the program prints.
// Other pages have this one.

/** @type {Formulas | null} */
export const formulas = null;
