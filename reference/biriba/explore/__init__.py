"""Mass play: many deals of a rule set, what comes of them, and what changes from one rule set to another."""
