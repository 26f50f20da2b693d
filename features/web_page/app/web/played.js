// A page that plays a scene.

import "./main.js";
import "./print.js";
