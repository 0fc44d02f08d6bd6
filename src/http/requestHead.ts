/** A request without its body: whoever is handed this alone cannot read it. */
export type RequestHead = Pick<Request, 'headers' | 'method' | 'signal' | 'url'>

/**
 * Resolves once the work for so many bytes keeps nobody else waiting: what is large is worked off in turns. To be asked
 * before the bytes are looked at.
 */
export type Room = (bytes: number) => Promise<void>

/** Lets somebody read the body of a request, once. */
export type Body = <Read>(read: (request: Request, room: Room) => Promise<Read>) => Promise<Read>
