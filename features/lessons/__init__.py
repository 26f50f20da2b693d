"""Lessons: playing, writing, judging and exporting them.

- `core`: `lesson` reads Markdown (a step for each heading, with a block of YAML), `schema` has moments and questions,
  `staging` makes the scene of each step, the same from wherever the user comes. `judging` judges answers,
  `misconceptions` explains a wrong answer, `answer_keys` states right and wrong answers as plain data.
- The answer of a user is a frame of the scene, *your answer*: rings, sliders, undo and keys are those of any frame.
- `app`: the player opens each step as a document that is never dirty. The author edits text by lines, so that a text
  with mistakes can be edited and saved, too. `app/export` writes pages, handouts and films from the same stagings;
  Judging is the only part written twice, in Python and in `judge.js`; a test compares both for each kind of question.
"""
