/** An event of the gateway, as `text\/event-stream` carries it. */
export interface StreamEvent {
  readonly id: string | null
  readonly type: string
  readonly data: string
}

/**
 * Reads the lines of an event stream (WHATWG HTML, 9.2.6) from pieces that may end anywhere.
 * @returns a function that takes a piece and gives the events that it completes
 */
export function createEventParser(): (piece: string) => StreamEvent[] {
  let rest = ''
  let id: string | null = null
  let type = ''
  let data: string[] = []

  function take(line: string): StreamEvent[] {
    if (line === '') {
      const event = { id, type: type || 'message', data: data.join('\n') }
      const isEvent = data.length > 0
      type = ''
      data = []
      return isEvent ? [event] : []
    }
    const colon = line.indexOf(':')
    // A comment keeps the connection open.
    if (colon === 0) return []
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'event') type = value
    else if (field === 'data') data.push(value)
    return []
  }

  return piece => {
    // A carriage return at the end may be half of a line's end.
    const text = rest + piece
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const lines = whole.split(/\r\n|\r|\n/)
    rest = (lines.pop() ?? '') + (text.endsWith('\r') ? '\r' : '')
    return lines.flatMap(take)
  }
}
