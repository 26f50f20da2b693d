"""Causes of disagreement between measurements and a scene, and fixes of them.

`core/judgement` compares all measurements before and after an edit and tries every fix. `explanations` searches for
the item and the hypothesis that close a miss, `plan_variants` compiles only what an edit changes, `vectors` has
hypotheses about measured vectors. `tests/setups` holds set-ups with planted faults and known truth; `run.py bench
setups` tries all.
"""
