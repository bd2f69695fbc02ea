/**
 * The limit of every wait in tests, in milliseconds. It only ends hanging tests: even a machine with ten times more work
 * than cores needs only a fraction of it, so no test may set a shorter one of its own.
 */
export const PATIENCE_MS = 300_000
