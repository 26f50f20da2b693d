// A page within that of a lesson: it has sliders, and is neither shown turn by turn nor printed.

import "./controls/sliders.js";
import "./controls/grab.js";
import "./main.js";
