import type { later as english } from '../en/later.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Choosing a time to send at. */
export const later = isolating<WordsOf<typeof english>>({
  soon: 'Daqui a uma hora',
  at: 'Data e hora',
  zone: name => `No seu fuso horário: ${name}`,
  bounds: (from, until) => `Escolha um horário entre ${from} e ${until}`,
  windowEnds: 'As 24 horas terminam em',
  window: 'Depois só sai um modelo, a menos que a pessoa escreva de novo.',
  confirm: 'Agendar',
})
