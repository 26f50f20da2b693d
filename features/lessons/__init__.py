"""Lessons: playing, writing, judging and exporting them.

- `core`: `lesson` reads Markdown (a step for each heading, with a block of YAML), `schema` has moments and questions,
  `staging` makes the scene of each step, the same from wherever the user comes. `judging` judges answers,
  `misconceptions` names the thought behind a wrong one, `answer_keys` states both as plain data.
- The answer of a user is a frame of the scene, *your answer*: rings, sliders, undo and keys are those of any frame.
- `app`: the player opens each step as a document that is never dirty. The author edits text by lines, so that a text
  with mistakes is edited and saved as well. `app/export` writes pages, handouts and films from the same stagings;
  `judge.js` is the one part written twice, and a test answers each kind of question in both.
"""
