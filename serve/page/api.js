// Requests to the server.

export class Refusal extends Error {
  constructor({ line, what, remedy }) {
    super(what);
    Object.assign(this, { line, what, remedy });
  }
}

async function refusal(response) {
  try {
    return new Refusal((await response.json()).error);
  } catch {
    return new Refusal({ what: `The server answered with status ${response.status}`, remedy: "try again" });
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal({ what: "The server does not answer", remedy: "start it with `tabletop serve` and try again" });
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

export async function ask(path, parameters = {}, signal) {
  const query = new URLSearchParams(parameters).toString();
  const response = await request(`/api/${path}${query && "?"}${query}`, { signal });
  return response.json();
}

/// Reads the events of a stream. Calls `on(event, data)` for each, and returns the data of the last one.
export async function follow(path, { parameters = {}, body, signal }, on) {
  const query = new URLSearchParams(parameters).toString();
  const options = body === undefined ? { signal } : { signal, method: "POST", body };
  const response = await request(`/api/${path}${query && "?"}${query}`, options);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Refusal({ what: "The answer breaks off", remedy: "ask again" });
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop();
    for (const message of messages) {
      const event = /^event: ?(.*)$/m.exec(message)?.[1];
      const data = [...message.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n");
      if (!event) continue;
      if (event === "failed") throw new Refusal(JSON.parse(data).error);
      if (event === "final") return JSON.parse(data);
      on(event, JSON.parse(data));
    }
  }
}
