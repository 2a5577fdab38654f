// The beginning of `make torture`, on this build: many commands at once, killed and stopped at random (torture/torture.mjs).
// It chooses at random and prints its seed, which TORTURE_SEED sets.
process.env.TORTURE_SECONDS ??= '25';
process.env.TORTURE_WORKERS ??= '4';
await import('./torture/torture.mjs');
