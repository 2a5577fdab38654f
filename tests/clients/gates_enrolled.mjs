// With a decider enrolled, no way around a gate counts, in whatever client. One is open: another store and another home
// look like a new clone, which never had the gate; what is delivered there is recorded in that store only.
import { finish } from '../js/lib/test.mjs';
import { tryAll } from './lib/gates.mjs';

await tryAll(true, (way) => way.enrolled ?? 'holds');
finish();
