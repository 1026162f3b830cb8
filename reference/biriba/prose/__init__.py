"""The rules as documents for people."""
