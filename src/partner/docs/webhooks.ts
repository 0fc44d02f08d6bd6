import { type EventType, eventTypes } from '../../base/eventTypes.ts'
import { eventKinds, exampleEvent, schemaOf } from '../../webhooks/eventSchema.ts'

/**
 * Each type of event with its schema and an example. OpenAPI 3.1 describes events as the requests that would bring
 * them; here they are read from the list.
 */
export const webhookOperations = Object.fromEntries(eventTypes.map(type => [type, { post: webhookOf(type) }]))

function webhookOf(type: EventType) {
  const { meaning, title } = eventKinds[type]
  return {
    operationId: `on${title}`,
    summary: type,
    description: `${meaning} \`GET /events\` lists it.`,
    tags: ['Events'],
    // No key comes with an event.
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(type),
          examples: { event: { summary: meaning, value: exampleEvent(type) } },
        },
      },
    },
    responses: { 200: { description: 'Taken.' } },
  }
}
