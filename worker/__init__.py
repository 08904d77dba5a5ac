"""The stream worker: triage (Kafka in, decisions out), monitor (rolling windows), store and command line."""
