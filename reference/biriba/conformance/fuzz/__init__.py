"""Fuzzing: reference and implementation side by side; each difference is shrunk to a vector."""
