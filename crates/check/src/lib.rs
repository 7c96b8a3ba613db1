//! The rules: observers of the machine that report findings.
