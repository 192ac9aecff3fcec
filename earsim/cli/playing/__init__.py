"""Commands that play: play, demo, run, replay."""
