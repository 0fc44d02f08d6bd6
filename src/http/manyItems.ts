import type { Clock } from '../base/clock.ts'
import { GatewayError, invalid } from '../base/errors.ts'
import { checkCounted, type Static, type TObject } from '../base/schema.ts'
import { isJson, jsonOf, notJson, refuseEncoded } from './body.ts'
import { BodyBudget } from './bodyBudget.ts'
import { batchBudget, batchBytesMax, batchEntriesMax } from './limits.ts'

/**
 * Bodies with many items are large: their bytes are bounded of a workspace, and of all together.
 * @returns makes a reader of a schema, which throws GatewayError UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR,
 *   PAYLOAD_TOO_LARGE and where there is no room for it
 */
export function manyItemsReader(clock: Clock) {
  const budget = new BodyBudget(clock, batchBudget)
  return <Schema extends TObject>(schema: Schema) => {
    const checked = checkCounted(schema)
    return async (request: Request, workspaceId: string): Promise<Static<Schema>> => {
      if (!isJson(request.headers.get('content-type'))) throw new GatewayError(notJson)
      refuseEncoded(request)
      const bytes = await budget.read(request, [workspaceId], batchBytesMax)
      const result = checked(jsonOf(bytes, batchEntriesMax))
      if (!result.ok) throw new GatewayError(invalid(result.issues))
      return result.value
    }
  }
}
