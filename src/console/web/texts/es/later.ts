import type { later as english } from '../en/later.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Choosing a time to send at. */
export const later = isolating<WordsOf<typeof english>>({
  soon: 'Dentro de una hora',
  at: 'Fecha y hora',
  zone: name => `En tu zona horaria: ${name}`,
  bounds: (from, until) => `Elige una hora entre ${from} y ${until}`,
  windowEnds: 'Las 24 horas terminan el',
  window: 'Después solo sale una plantilla, salvo que la persona vuelva a escribir.',
  confirm: 'Programar',
})
