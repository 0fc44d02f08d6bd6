/** A request without its body: whoever is handed this alone cannot read it. */
export type RequestHead = Pick<Request, 'headers' | 'method' | 'signal' | 'url'>

/** Lets somebody read the body of a request, once. */
export type Body = <Read>(read: (request: Request) => Promise<Read>) => Promise<Read>
