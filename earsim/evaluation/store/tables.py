"""The tables of a run's database; columns have the order of `earsim.evaluation.store.rows`."""

from __future__ import annotations

VERSION = 1
"""Of the tables; kept in the database as `user_version`."""

TABLES = """
CREATE TABLE episodes (
    episode TEXT PRIMARY KEY, cell TEXT NOT NULL, suite TEXT NOT NULL, scenario_id TEXT NOT NULL,
    scenario_hash TEXT NOT NULL, category TEXT NOT NULL, level TEXT, ruleset TEXT NOT NULL,
    policy TEXT NOT NULL, model TEXT, style TEXT, knowledge TEXT, repeat INTEGER NOT NULL,
    seed INTEGER NOT NULL, agents INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'no_measurement')),
    termination TEXT NOT NULL, success_latched INTEGER NOT NULL, success_final INTEGER NOT NULL,
    claimed_done INTEGER NOT NULL, decisions INTEGER NOT NULL, first_true INTEGER,
    score REAL NOT NULL, error TEXT, memory TEXT NOT NULL, extra TEXT NOT NULL,
    started_at REAL NOT NULL, wall_ms REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX episodes_by_cell ON episodes (cell, episode);
CREATE TABLE steps (
    episode TEXT NOT NULL, decision INTEGER NOT NULL, commands TEXT, outcomes TEXT NOT NULL,
    digest TEXT NOT NULL, clock REAL NOT NULL,
    PRIMARY KEY (episode, decision)
);
CREATE TABLE calls (
    episode TEXT NOT NULL, decision INTEGER NOT NULL, seq INTEGER NOT NULL, agent TEXT NOT NULL,
    role TEXT NOT NULL, request TEXT NOT NULL, request_hash TEXT NOT NULL, reply TEXT,
    reasoning TEXT, finish_reason TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
    cached_tokens INTEGER, attempts INTEGER NOT NULL, server TEXT NOT NULL, model_reported TEXT,
    latency_ms REAL NOT NULL, from_cache INTEGER NOT NULL, error TEXT, parsed TEXT,
    PRIMARY KEY (episode, decision, seq)
);
CREATE TABLE texts (hash TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
"""

STATES = """
CREATE TABLE IF NOT EXISTS states (
    episode TEXT NOT NULL, decision INTEGER NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (episode, decision)
)
"""
"""Made with the first episode whose policy has a typed memory; no other database has it."""
