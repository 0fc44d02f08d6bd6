import type { Clock } from '../base/clock.ts'
import { GatewayError, invalid } from '../base/errors.ts'
import { check, type Static, type TObject, withoutNulls } from '../base/schema.ts'
import { isJson, jsonOf, notJson, readInTime } from '../http/body.ts'
import { bodyBytesMax, bodyMsMax } from '../http/limits.ts'
import type { Body } from '../http/requestHead.ts'

/** Reads the body of a request whose caller is known. */
export type BodyReader<Read> = (caller: { readonly body: Body }, clock: Clock) => Promise<Read>

/**
 * Of an endpoint whose body is small, and whose fields bind each for itself; that of a send is read by `sendBody.ts`.
 * @param form.isOptional a request without a body is as one with `{}`
 * @returns a reader, which throws GatewayError UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
export function bodyReader<Schema extends TObject>(
  schema: Schema,
  { isOptional = false } = {},
): BodyReader<Static<Schema>> {
  const checkBody = check(schema)
  async function read(request: Request, clock: Clock): Promise<Static<Schema>> {
    const bytes = await readInTime(request, clock, { bytesMax: bodyBytesMax, msMax: bodyMsMax })
    const isMissing = isOptional && bytes.length === 0
    if (!isMissing && !isJson(request.headers.get('content-type'))) throw new GatewayError(notJson)
    const checked = checkBody(isMissing ? {} : withoutNulls(schema, jsonOf(bytes)))
    if (!checked.ok) throw new GatewayError(invalid(checked.issues))
    return checked.value
  }
  return (caller, clock) => caller.body(request => read(request, clock))
}
