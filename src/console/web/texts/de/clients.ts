import type { clients as english } from '../en/clients.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { shell } from './shell.ts'

/** Clients that were written for the platform (docs/drop-in.md). */
export const clients = isolating<WordsOf<typeof english>>({
  title: shell.titles.clients,
  description:
    'Posteingänge, Bots und Skripte, die für die WhatsApp Cloud API geschrieben sind, sprechen mit diesem Gateway, ' +
    'sobald sie seine Adresse und ein Token haben.',
  line: 'Leitung',
  off: 'Vorhandene Clients bekommen Antwort, sobald dieses Gateway mit GRAPH_API=on gestartet ist.',
  guide: 'Leitfaden für vorhandene Clients',

  addressTitle: 'Adresse und IDs',
  addressHint: 'Diese IDs hat die Plattform vergeben.',
  address: 'Adresse',
  accountId: 'Konto-ID',
  phoneNumberId: 'ID der Telefonnummer',

  tokenTitle: 'Schlüssel und Token',
  tokenHint: 'Das Token gehört zum Schlüssel und wird einmal gezeigt: wenn dieser angelegt oder rotiert wird.',
  tokenNeeds: 'Inhaber und Admins des Arbeitsbereichs sehen die Liste und legen Schlüssel an.',
  noKeys: 'Kein Schlüssel mit einem Token darf diese Leitung benutzen.',

  callbackTitle: 'Callbacks',
  callbackHint:
    'Legen Sie ein Ziel mit der Adresse und dem Verify token an, die der Client zeigt. ' +
    'Fragt er nach einem App-Geheimnis, geben Sie ihm das Geheimnis des Ziels.',
  noEndpoints: 'Kein Ziel dieser Art bekommt Callbacks dieser Leitung.',

  writeTitle: 'Was wo einzutragen ist',
  writeHint: 'Schreiben Sie Ihr Token, wo wp_… steht.',
  ownCode: 'Ihr eigener Code',
  hints: {
    Chatwoot:
      'Neuere Versionen brauchen auch eine Datei, die im Leitfaden steht. ' +
      'Fügen Sie dann den Posteingang von Hand hinzu, nicht durch Embedded Signup: mit beiden IDs und dem Token ' +
      'als API key. Er zeigt Adresse und Verify token seiner Callbacks oder trägt sie selbst ein.',
    Typebot: 'Sein Schlüssel braucht auch den Scope webhooks: Typebot sieht nach, ob seine App Callbacks bekommt.',
    '@chat-adapter/whatsapp': 'Der Adapter des Chat SDK. Sein appSecret ist das Geheimnis des Ziels seiner Callbacks.',
    ownCode:
      'Die Adresse steht anstelle von https://graph.facebook.com, mit oder ohne eine Version dahinter, ' +
      'und das Token anstelle dessen der Plattform.',
  },
})
