// A page that plays a scene.

import "./controls/messages.js";
import "./main.js";
import "./print.js";
