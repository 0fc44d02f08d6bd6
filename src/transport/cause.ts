/** Why a server gave no whole answer, as far as it tells an operator what to look at. */
export type Cause =
  | 'name'
  | 'nameServer'
  | 'refused'
  | 'noWay'
  | 'certificate'
  | 'noTls'
  | 'closed'
  | 'noHttp'
  | 'silence'

/** By the code of the system, of TLS or of undici, or by the name of the error. "It" is what was to be reached. */
const causes: readonly (readonly [code: RegExp, cause: Cause, words: string])[] = [
  [/^(ENOTFOUND|ENODATA)$/, 'name', 'its host name does not exist'],
  [/^EAI_AGAIN$/, 'nameServer', 'its host name could not be looked up; try again later'],
  [/^ECONNREFUSED$/, 'refused', 'its server refused the connection'],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/, 'noWay', 'its server cannot be reached'],
  [/CERT|SIGNATURE/, 'certificate', 'the certificate of its server is not valid'],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, 'noTls', 'its server does not speak TLS'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'closed', 'its server closed the connection'],
  [/^HTTPParserError$/, 'noHttp', 'its server does not answer in HTTP'],
]

/** The server has not answered within the time limit. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** @returns the cause and its words; null: the error speaks for itself */
export function causeOf(error: Error): { readonly cause: Cause; readonly words: string } | null {
  if (error instanceof Silence) return { cause: 'silence', words: error.message }
  const { code = error.name } = error as NodeJS.ErrnoException
  const [, cause, words] = causes.find(([pattern]) => pattern.test(code)) ?? []
  return cause === undefined || words === undefined ? null : { cause, words }
}
