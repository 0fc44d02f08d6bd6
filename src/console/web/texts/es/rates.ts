import type { rates as english } from '../en/rates.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** The rates of a workspace, by which Usage estimates what messages cost. */
export const rates = isolating<WordsOf<typeof english>>({
  title: 'Tarifas de la plataforma',
  hint: 'La plataforma dice qué cobra, pero no los importes. Con tu lista de precios, Uso muestra una estimación.',
  none: 'Aún no hay tarifas.',
  kept: (count, shown, currencies) => `${plural(count, 'Una tarifa', `${shown} tarifas`)} en ${currencies}, desde el`,
  toUsage: 'Ver la estimación',
  add: 'Añadir tarifas',
  replace: 'Reemplazar las tarifas',
  remove: 'Quitar las tarifas',
  removeTitle: '¿Quitar las tarifas?',
  removeHint: 'Uso deja de mostrar estimaciones. Los recuentos quedan.',
  choose: 'Elegir un archivo CSV',
  file: 'Tarifas',
  fileHint:
    'Una línea por país (dos letras, o * para todos los demás) y categoría, con un punto en el precio. ' +
    'El mismo archivo lo lee “waypost costs --rates”.',
  missing: 'Elige un archivo o pega sus líneas',
  save: 'Guardar las tarifas',
})
