import type { DraftComponent, SendCard } from '../graph/wire.ts'
import type { PlaceExamples } from './examples.ts'
import { textParameter } from './parameters.ts'
import { renderTemplate } from './renderComponents.ts'
import type { TemplateShape } from './shape.ts'
import type { HeaderShape } from './structure.ts'
import type { TemplateValues } from './values.ts'

/** Headers that no key fills, by their kind (docs/upstream.md#template-messages). */
const headerExamples: Readonly<Record<string, object>> = {
  location: {
    type: 'location',
    location: { latitude: '52.5163', longitude: '13.3777', name: 'Brandenburg Gate', address: 'Pariser Platz, Berlin' },
  },
  product: { type: 'product', product: { product_retailer_id: 'SKU', catalog_id: '1' } },
}

/** The year 2100: the upstream refuses an expired offer. */
const offerEndsAt = 4_102_444_800_000

const offerExample = {
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: offerEndsAt } }],
}

/**
 * The whole send in the upstream's own format: rendered like any other, with the values of URL buttons that their keys
 * could not express, and with the parts that have no key.
 * @param values what the keys can express
 * @returns null when the examples do not fit into the template, or a part is of a kind without an example
 */
export function exampleComponents(
  shape: TemplateShape,
  examples: PlaceExamples,
  values: TemplateValues,
): readonly object[] | null {
  const rendered = renderTemplate({ ...shape, unsupported: [] }, values)
  const headers = [shape, ...shape.cards].map(({ header }) => headerOf(header))
  if (!rendered.ok || headers.includes(null)) return null
  const [header, ...cardHeaders] = headers
  const withHeader = (card: SendCard<unknown>, at: number) => ({
    ...card,
    components: [...(cardHeaders[at] ?? []), ...card.components],
  })
  const components = rendered.components.map(component =>
    component.type === 'carousel'
      ? { ...component, cards: component.cards.map(withHeader) }
      : withOwnAddress(shape, examples, component),
  )
  return [...(header ?? []), ...(shape.hasExpiringOffer ? [offerExample] : []), ...components]
}

/** @returns the component, if the header is one that no key fills; null when there is no example of it */
function headerOf(header: HeaderShape): readonly object[] | null {
  if (header.kind !== 'unsupported') return []
  const parameter = Object.hasOwn(headerExamples, header.format) ? headerExamples[header.format] : undefined
  return parameter ? [{ type: 'header', parameters: [parameter] }] : null
}

function withOwnAddress(shape: TemplateShape, examples: PlaceExamples, component: DraftComponent): DraftComponent {
  const button = component.type === 'button' ? shape.buttons[Number(component.index)] : undefined
  if (component.type !== 'button' || button?.kind !== 'url') return component
  return { ...component, parameters: [textParameter(button.slot, examples.urls.get(button.index) ?? '')] }
}
