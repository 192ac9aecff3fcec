"""Checks of answers: scenes, tasks, wording, and acceptance by the planner's certificate."""
