import { isObject, type JsonObject } from '../base/json.ts'
import { bodyCharsMax, productSectionsMax, productsMax, sectionTitleCharsMax } from '../base/upstreamLimits.ts'
import { readFrame, root } from './parts.ts'
import type { Reader } from './reader.ts'

const path = `${root}/action`

/** One product of a catalog: a text is optional. */
export function readProductMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'none', reader, 'optional')
  const action = reader.object(payload.action, path)
  if (action) readProduct(action, path, reader)
}

/** @param action it names a catalog and one of its products */
export function readProduct(action: JsonObject, at: string, reader: Reader): void {
  reader.text(action.catalog_id, `${at}/catalog_id`)
  reader.text(action.product_retailer_id, `${at}/product_retailer_id`)
}

/** Products of a catalog in titled sections, below a header. */
export function readProductListMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'text', reader)
  if (payload.header === undefined) reader.note(`${root}/header`, 'is required')
  const action = reader.object(payload.action, path)
  if (!action) return
  reader.text(action.catalog_id, `${path}/catalog_id`)
  const sections = reader.list(action.sections, `${path}/sections`, 1, productSectionsMax)
  let count = 0
  sections.forEach((value, at) => {
    const here = `${path}/sections/${at}`
    const section = reader.object(value, here)
    if (!section) return
    if (sections.length > 1 || section.title !== undefined)
      reader.text(section.title, `${here}/title`, sectionTitleCharsMax)
    const products = reader.list(section.product_items, `${here}/product_items`, 1, productsMax)
    count += products.length
    products.forEach((item, each) => {
      const product = reader.object(item, `${here}/product_items/${each}`)
      if (product) reader.text(product.product_retailer_id, `${here}/product_items/${each}/product_retailer_id`)
    })
  })
  if (count > productsMax) reader.note(`${path}/sections`, `must have at most ${productsMax} products in all`)
}

/** A button that opens the whole catalog, with the picture of one of its products. */
export function readCatalogMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, bodyCharsMax, 'none', reader)
  const action = reader.object(payload.action, path)
  if (!action) return
  reader.oneOf(action.name, `${path}/name`, ['catalog_message'])
  if (action.parameters === undefined) return
  const parameters = reader.object(action.parameters, `${path}/parameters`)
  if (isObject(parameters))
    reader.optionalText(parameters.thumbnail_product_retailer_id, `${path}/parameters/thumbnail_product_retailer_id`)
}
