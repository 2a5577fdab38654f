// What torture.mjs knows: only what commands answered, and which of them were killed. It says what the ledger must then
// hold. It knows the program's promises (docs/concepts.md), none of its code.
//
// Every command acts under a number of its own, as AGENT/nNUMBER or in its note, which the log keeps: so each event of
// the log belongs to a command. One that answered has its events, once; one that was refused has none; one that was
// killed has all or none of them. Of what was pruned, the log keeps no names.

/** From which states an event leads where; '' is before the first. Everything else in the log is a remark. */
const open = ['draft', 'ready', 'claimed', 'acked', 'clarify', 'gated'], ended = ['done', 'rejected', 'superseded', 'expired'];
const moves = {
  sent: [[''], 'ready'], drafted: [[''], 'draft'], confirmed: [['draft'], 'ready'], claimed: [['ready'], 'claimed'],
  acked: [['claimed'], 'acked'], blocked: [['claimed', 'acked'], 'clarify'], lapsed: [['claimed'], 'ready'], answered: [['clarify'], 'ready'],
  released: [['claimed', 'acked'], 'ready'], withdrawn: [open, 'rejected'], finished: [open.filter((state) => state !== 'gated'), 'done'],
  done: [['acked'], 'done'], returned: [['acked'], 'done'], rejected: [['draft', 'acked'], 'rejected'], work_lapsed: [['acked'], 'ready'],
  gated: [open.filter((state) => state !== 'gated'), 'gated'], approved: [['gated'], null], gate_rejected: [['gated'], 'rejected'],
  exhausted: [['ready', 'claimed'], 'gated'], expired: [['ready', 'claimed'], 'expired'], superseded: [open, 'superseded'],
  archived: [ended, 'archived'],
};
/** What nobody but a command's own doing can bring about. Leases and deadlines run out in anybody's command. */
const own = ['sent', 'claimed', 'acked', 'blocked', 'answered', 'confirmed', 'done', 'returned', 'rejected', 'approved', 'superseded', 'archived',
  'released', 'withdrawn', 'resumed'];

const second = (text) => Math.floor(Date.parse(text) / 1000);

export class Model {
  constructor() {
    this.commands = new Map(); // number: {number, name, outcome: running, answered, refused, killed; events: [[id, event]], ended}
    this.sent = new Map(); // id: digest
    this.leases = new Map(); // token: {id, until, at, event: the number of the command that claimed}
    this.decisions = new Map(); // number: approve or reject
    this.halts = new Map(); // task: {id of the response that said STOP, to: who may resume it, since, resuming: somebody tries to}
    this.withdrawn = new Map(); // id: when that was answered
    this.prunes = []; // {ids: what each said it pruned; null if it was killed before}
    this.historyMayGo = false; // a rebuild said so, or was killed before it could
  }

  begin(command) {
    this.commands.set(command.number, command);
  }

  /** An answer to a command that sends: the id and what is stored under it. */
  answeredSend(id, digest, complain) {
    if (this.sent.has(id) && this.sent.get(id) !== digest) complain(`the id ${id} was given twice`);
    this.sent.set(id, digest);
  }

  /** A request for a task was taken in. `began`: before it was sent. */
  judgeRequest(task, id, began, complain) {
    const halt = this.halts.get(task);
    if (halt && halt.since < began && !halt.resuming) complain(`${id} was taken in, although its task ${task} is halted by ${halt.id}`);
  }

  /** What was withdrawn before it was asked for is no work. */
  judgeInbox(items, began, complain) {
    for (const { kind, id } of items)
      if (['handoff', 'held'].includes(kind) && this.withdrawn.get(id) < began) complain(`an inbox has ${id} as ${kind}, which was withdrawn`);
  }

  #byHandoff(events) {
    const all = new Map();
    for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
      if (!event.handoff) continue;
      if (!all.has(event.handoff)) all.set(event.handoff, []);
      all.get(event.handoff).push(event);
    }
    return all;
  }

  numberOf(event) {
    const found = /\/n(\d+)$/.exec(event.actor ?? '') ?? /\bn(\d+)\b/.exec(event.data?.note ?? event.data?.why ?? '');
    return found ? Number(found[1]) : null;
  }

  /** Each handoff's events follow from each other; {id: state}, or null for what cannot be known. */
  states(events, complain) {
    const states = new Map();
    for (const [id, list] of this.#byHandoff(events)) {
      let state = '', before = '';
      for (const event of list) {
        const move = moves[event.event];
        if (event.event === 'rebuilt') state = null;
        if (event.event === 'pruned' && state !== null && state !== 'archived') complain(`${id} was ${state} when it was pruned`);
        if (!move) continue;
        if (state !== null && !move[0].includes(state)) complain(`${id} was ${state || 'nothing'} when it was ${event.event} (event ${event.seq}, by ${event.actor})`);
        if (move[1] === 'gated') before = event.event === 'exhausted' ? 'ready' : state;
        state = event.event === 'approved' ? before : move[1];
      }
      states.set(id, state);
    }
    return states;
  }

  /** The log agrees with what was answered before it was asked for (`asked`), and nothing else is in it. */
  judgeLog(events, asked, complain) {
    const found = new Map();
    for (const event of events) {
      const number = this.numberOf(event), command = this.commands.get(number);
      if (event.actor === null) continue; // pruned
      if (event.event === 'approved' && this.decisions.get(number) !== 'approve')
        complain(`nobody approved ${event.handoff}, but it is (event ${event.seq}, by ${event.actor})`);
      if (number === null || !own.includes(event.event)) continue;
      if (!command) complain(`event ${event.seq} (${event.event}) is by ${event.actor}, who has not begun`);
      else if (command.outcome === 'refused') complain(`${command.shown} was refused, but ${event.handoff} was ${event.event}`);
      const key = `${number} ${event.handoff} ${event.event}`;
      if (found.has(key)) complain(`${command?.shown} did it twice: ${event.handoff} was ${event.event} (events ${found.get(key)} and ${event.seq})`);
      found.set(key, event.seq);
    }
    const ids = new Set(events.map((event) => event.handoff)), pruned = new Set(events.filter((e) => e.event === 'pruned').map((e) => e.handoff));
    const firsts = new Map([...events].sort((a, b) => b.seq - a.seq).map((event) => [event.handoff, event]));
    for (const id of pruned) if (!this.prunes.some(({ ids }) => !ids || ids.includes(id))) complain(`${id} was pruned by nobody`);
    for (const command of this.commands.values()) {
      if (command.outcome !== 'answered' || command.ended >= asked) continue;
      for (const [id, event] of command.events)
        if (!found.has(`${command.number} ${id} ${event}`) && !pruned.has(id) && !this.#forgotten(firsts.get(id), command))
          complain(`${command.shown} was answered, but ${ids.has(id) ? `${id} was never ${event}` : `${id} has no events`}`);
    }
    this.#judgeLeases(events, complain);
    this.states(events, complain);
  }

  /** What happened before a rebuild may be forgotten, if that said so. */
  #forgotten(first, command) {
    return this.historyMayGo && first?.event === 'rebuilt' && second(first.at) * 1000 + 1000 >= command.began;
  }

  /** A lease that was answered does not end before its time. */
  #judgeLeases(events, complain) {
    for (const event of events) {
      if (event.event !== 'lapsed' && event.event !== 'work_lapsed') continue;
      const claim = events.filter((e) => e.handoff === event.handoff && e.event === 'claimed' && e.seq < event.seq).sort((a, b) => b.seq - a.seq)[0];
      const lease = claim && [...this.leases.values()].find((l) => l.id === event.handoff && l.number === this.numberOf(claim));
      if (lease && second(lease.until) > second(event.at) + 1 && second(lease.at) < second(event.at))
        complain(`${event.handoff} was to be held until ${lease.until}, but its lease ended at ${event.at}`);
    }
  }

  /** The list has every handoff that was answered before it was asked for, unless the log, asked for later, says that it
   *  was pruned. */
  judgeList(rows, events, asked, complain) {
    const pruned = new Set(events.filter((event) => event.event === 'pruned').map((event) => event.handoff));
    const digests = new Map(rows.map((row) => [row.id, row.digest]));
    if (digests.size !== rows.length) complain('an id is listed twice');
    for (const command of this.commands.values()) {
      if (command.outcome !== 'answered' || command.ended >= asked || !command.sent) continue;
      const { id, digest } = command.sent;
      if (!digests.has(id)) {
        if (!pruned.has(id)) complain(`${id} is lost: ${command.shown} was answered`);
      } else if (digest && digests.get(id) !== digest) complain(`${id} is another document than ${command.shown} was answered`);
    }
  }
}

/** The model does notice: a log or a list in which something is missing, doubled or made up. */
export function proveModel(model, events, rows, complain) {
  const told = (judge) => {
    let count = 0;
    judge(() => count++);
    return count;
  };
  const later = Date.now() + 1, log = (list) => told((each) => model.judgeLog(list, later, each)), listed = (list) => told((each) => model.judgeList(list, events, later, each));
  const mine = events.find((event) => event.event === 'claimed' && model.commands.get(model.numberOf(event))?.outcome === 'answered');
  const sent = [...model.commands.values()].findLast((command) => command.outcome === 'answered' && command.sent)?.sent.id;
  const seq = Math.max(...events.map((event) => event.seq)) + 1, wrong = {
    'a lost event': events.filter((event) => event !== mine),
    'a second claim': [...events, { ...mine, seq }],
    'a made-up approval': [...events, { ...mine, seq, event: 'approved', actor: 'somebody', data: {} }],
  };
  for (const [what, list] of Object.entries(wrong)) if (mine && log(list) <= log(events)) complain(`the model does not notice ${what}`);
  if (listed(rows.filter((row) => row.id !== sent)) <= listed(rows)) complain('the model does not notice a lost handoff');
}
