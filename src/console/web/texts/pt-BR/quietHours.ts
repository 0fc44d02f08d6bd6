import type { quietHours as english } from '../en/quietHours.ts'
import { isolating, type WordsOf } from '../isolated.ts'

export const quietHours = isolating<WordsOf<typeof english>>({
  title: 'Horas de silêncio',
  save: 'Salvar o horário de silêncio',
  hint: 'Os modelos de marketing esperam até a manhã da pessoa, pelo país do seu número.',
  isOn: 'Os modelos de marketing esperam nestas horas',
  from: 'De',
  to: 'Até',
  days: 'Em que dias começam',
  timeZone: 'Fuso horário',
  timeZoneHint: 'De todos cujo número não indica um país com um só horário.',
  isForUtility: 'Os modelos da categoria utility também esperam',
  none: 'Nenhuma',
})
