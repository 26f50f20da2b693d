// A page within that of a lesson: it is neither printed nor does it hear messages, which the page of the lesson does.

import "./controls/sliders.js";
import "./controls/grab.js";
import "./controls/staged.js";
import "./main.js";
