// The formulas of the scene's own motion. In an exported page with sliders they stand here; other pages have none.

export const formulas = null;
