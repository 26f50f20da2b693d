// Rules for the scripts of pages; `run.py check` runs ESLint in the root of the checkout.

import { createRequire } from "node:module";

const js = createRequire(new URL("../../build/web/", import.meta.url))("@eslint/js");

const GLOBALS = [
  "atob", "Blob", "clearTimeout", "DecompressionStream", "document", "Element", "history", "HTMLButtonElement",
  "HTMLCanvasElement", "HTMLDialogElement", "HTMLElement", "HTMLIFrameElement", "HTMLInputElement", "HTMLSelectElement",
  "Image", "location", "Option", "requestAnimationFrame", "ResizeObserver", "Response", "setTimeout", "URL",
  "URLSearchParams", "window",
];

// What `script_modules.py` relies on when it joins modules.
const ONE_NAME = "A declaration at top level has one name.";
const JOINED = [
  { selector: "Program > VariableDeclaration[declarations.length>1]", message: ONE_NAME },
  { selector: "Program > ExportNamedDeclaration > VariableDeclaration[declarations.length>1]", message: ONE_NAME },
  { selector: "Program > VariableDeclaration > VariableDeclarator > :not(Identifier).id", message: ONE_NAME },
  { selector: "ExportDefaultDeclaration, ExportAllDeclaration, ExportSpecifier", message: "Export declarations." },
  { selector: "ImportDefaultSpecifier, ImportNamespaceSpecifier, ImportExpression", message: "Import names." },
];

export default [
  js.configs.recommended,
  {
    files: ["features/**/*.js"],
    languageOptions: {
      ecmaVersion: 2023,
      sourceType: "module",
      globals: Object.fromEntries(GLOBALS.map((name) => [name, "readonly"])),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "error",
      "no-unused-vars": "error",
      "no-shadow-restricted-names": "error",
      "no-restricted-syntax": ["error", ...JOINED],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      curly: "error",
      eqeqeq: "error",
    },
  },
];
