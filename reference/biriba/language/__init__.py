"""The front end of the rule language: from the text of a rule set to `biriba.model.ruleset.Ruleset`."""
