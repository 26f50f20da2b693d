// A page with sliders, and with rotations shown turn by turn.

import "./controls/sliders.js";
import "./controls/grab.js";
import "./controls/staged.js";
import "./controls/messages.js";
import "./main.js";
import "./print.js";
