// A model API on loopback that says what a test tells it to: Anthropic's messages and OpenAI's responses, streamed.
//
// A test plays a script, a generator that yields turns. Each request of the agent takes the next turn; what the request
// reports (the output of the tool that the turn before called) is the value of `yield`. So a test can look at what a
// command has done before it says which one comes next. Turns:
//   { text: 'done' }                     the agent ends; also what comes after the script's end
//   { run: 'ls', tty: true }             it runs a command with its shell tool; tty: at a terminal, if the tool has that
//   { tool: 'Read', input: {...} }       it calls any tool
//   { status: 529, error: 'overloaded' } the request fails; message: what is said of it
// and with any of the first three: usage: { input, output, cached } in tokens.
import { createServer } from 'node:http';

function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

const anthropic = {
  /** Requests without tools are the client's own (titles and the like) and take no turn. */
  isTurn: (body) => body.tools?.length > 0,
  report: (body) => [body.messages.at(-1).content].flat().filter((part) => part.type === 'tool_result')
    .map((part) => [part.content].flat().map((piece) => piece.text ?? piece).join('')).join('\n'),
  call: (turn) => turn.tool ? { name: turn.tool, input: turn.input } : { name: 'Bash', input: { command: turn.run, description: 'Run it' } },
  error: (turn) => ({ type: 'error', error: { type: turn.error, message: turn.message ?? turn.error } }),
  *events(turn, call, n, body) {
    const { input = 10, output = 5, cached = 0 } = turn.usage ?? {};
    const usage = { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: 0, output_tokens: 1 };
    yield { type: 'message_start', message: { id: `msg_${n}`, type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage } };
    yield { type: 'content_block_start', index: 0, content_block: call ? { type: 'tool_use', id: `toolu_${n}`, name: call.name, input: {} } : { type: 'text', text: '' } };
    yield { type: 'content_block_delta', index: 0, delta: call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) } : { type: 'text_delta', text: turn.text } };
    yield { type: 'content_block_stop', index: 0 };
    yield { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: output } };
    yield { type: 'message_stop' };
  },
};

const openai = {
  isTurn: (body) => body.tools?.length > 0,
  report: (body) => body.input.slice(body.input.findLastIndex((item) => item.type === 'function_call') + 1)
    .filter((item) => item.type === 'function_call_output').map((item) => [item.output].flat().map((piece) => piece.text ?? piece).join('')).join('\n'),
  call: (turn) => turn.tool ? { name: turn.tool, input: turn.input } : { name: 'exec_command', input: { cmd: turn.run, tty: turn.tty ?? false, yield_time_ms: 30_000 } },
  error: (turn) => ({ error: { type: turn.error, code: turn.error, message: turn.message ?? turn.error } }),
  *events(turn, call, n) {
    const { input = 10, output = 5, cached = 0 } = turn.usage ?? {};
    const usage = { input_tokens: input + cached, input_tokens_details: { cached_tokens: cached }, output_tokens: output, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: input + cached + output };
    yield { type: 'response.created', response: { id: `resp_${n}` } };
    yield { type: 'response.output_item.done', item: call ? { type: 'function_call', call_id: `call_${n}`, name: call.name, arguments: JSON.stringify(call.input) } : { type: 'message', role: 'assistant', id: `msg_${n}`, content: [{ type: 'output_text', text: turn.text }] } };
    yield { type: 'response.completed', response: { id: `resp_${n}`, usage } };
  },
};

const dialects = { '/v1/messages': anthropic, '/v1/responses': openai };

/** Answers one request for a model; `next` gives the turn that follows what the request reports. */
async function answer(dialect, body, n, next, response) {
  const turn = dialect.isTurn(body) ? await next(dialect.report(body)) : { text: 'ok' };
  if (turn.status) {
    response.writeHead(turn.status, { 'content-type': 'application/json' }).end(JSON.stringify(dialect.error(turn)));
    return;
  }
  const call = turn.run || turn.tool ? dialect.call(turn) : null;
  sendEvents(response, dialect.events(turn, call, n, body));
}

/** Starts the API. `strays` lists what the client wanted from other addresses, for which this is the proxy: none is let
 * through. `play(script)` sets the turns of the next session; what the script throws is in `failure`. */
export async function startMock() {
  let script = null, n = 0;
  const mock = { requests: [], strays: [], failure: null };
  async function next(report) {
    try {
      const { value, done } = script ? await script.next(report) : { done: true };
      return done ? { text: 'done' } : value;
    } catch (error) {
      mock.failure = error;
      return { text: 'the script failed' };
    }
  }
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const dialect = dialects[request.url.split('?')[0]];
    if (!request.url.startsWith('/')) mock.strays.push(request.url);
    if (!dialect) return void response.writeHead(404).end('{}');
    const body = JSON.parse(Buffer.concat(chunks).toString());
    mock.requests.push(body);
    return answer(dialect, body, ++n, next, response);
  });
  server.on('connect', (request, socket) => {
    mock.strays.push(request.url);
    socket.on('error', () => {}); // the client may hang up first
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  mock.url = `http://127.0.0.1:${server.address().port}`;
  mock.play = (generator) => { script = generator; };
  mock.close = () => server.closeAllConnections() ?? server.close();
  return mock;
}
