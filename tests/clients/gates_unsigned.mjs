// Without a decider, a way around a gate counts only if docs/security.md says that it works, and is shown as unsigned
// wherever there is a decision. In a sandbox fewer of them work.
import { finish } from '../js/lib/test.mjs';
import { tryAll } from './lib/gates.mjs';

await tryAll(false, (way, sandbox) => (sandbox ? way.sandbox : way.open) ?? 'holds');
finish();
