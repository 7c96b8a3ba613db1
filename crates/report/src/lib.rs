//! Findings, profiles and traces as text, JSON, SARIF and HTML.
