import type { quietHours as english } from '../en/quietHours.ts'
import { isolating, type WordsOf } from '../isolated.ts'

export const quietHours = isolating<WordsOf<typeof english>>({
  title: 'Horas de silencio',
  save: 'Guardar las horas de silencio',
  hint: 'Las plantillas de marketing esperan hasta la mañana de la persona, según el país de su número.',
  isOn: 'Las plantillas de marketing esperan en estas horas',
  from: 'Desde',
  to: 'Hasta',
  days: 'En qué días empiezan',
  timeZone: 'Zona horaria',
  timeZoneHint: 'De quienes su número no indica un país con una sola hora.',
  isForUtility: 'También esperan las plantillas de la categoría utility',
  none: 'Ninguna',
})
