import type { settings as english } from '../en/settings.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Settings of the workspace and of the gateway. */
export const settings = isolating<WordsOf<typeof english>>({
  title: 'Einstellungen',
  save: 'Arbeitsbereich speichern',
  workspace: 'Arbeitsbereich',
  name: 'Name',
  id: 'ID des Arbeitsbereichs',
  created: 'Angelegt',
  limit: 'Nachrichten im Monat',
  unlimited: 'Unbegrenzt',
  limitHint: 'Ein Kalendermonat in UTC. Leer: unbegrenzt.',
  ceilingHint: ceiling =>
    `Ein Kalendermonat in UTC. Der Betreiber des Gateways erlaubt höchstens ${ceiling}; ` +
    'eine niedrigere Grenze setzen Sie selbst.',
  belowCeiling: (limit, ceiling) => `${limit} (der Betreiber erlaubt ${ceiling})`,
  limitOwner: 'Ein Inhaber des Arbeitsbereichs ändert die Monatsgrenze.',
  defaultLine: 'Standardleitung',
  defaultLineHint:
    'Für Nachrichten, die keine Leitung nennen. Ohne sie gehen sie über die einzige aktive; sind mehrere aktiv, ' +
    'werden sie abgelehnt.',
  noDefaultLine: 'Keine',
  deleted: 'Nachrichten, die Personen löschen',
  deletedHint: 'Für alle, auch für API-Schlüssel; auch, was schon gelöscht wurde.',
  deletedChoices: { keep: 'Bleiben, als gelöscht markiert', hide: 'Verlieren ihren Inhalt' },
  gateway: 'Gateway',
  gatewayHint:
    'Der Betreiber setzt diese Werte für alle Arbeitsbereiche, in der Umgebung des Gateways; ' +
    'nach einer Änderung startet er es neu.',
  setting: 'Einstellung',
  value: 'Wert',
  purpose: 'Zweck',
  source: 'Herkunft',
  environment: 'Umgebung',
  fallback: 'Vorgabe',
  all: count => `Alle ${count} Einstellungen zeigen`,
  fewer: 'Nur was gesetzt ist',
  isSandbox: 'Dieses Gateway sendet an die Sandbox: Keine Nachricht erreicht ein Telefon.',
  isLive: 'Dieses Gateway sendet an die Plattform: Nachrichten erreichen Telefone und kosten Geld.',
  sandboxHint: 'Für Tests starten Sie ein zweites Gateway mit der Sandbox:',
  sandboxCommand: 'Befehle, die die Sandbox und ein Gateway dazu starten',
})
