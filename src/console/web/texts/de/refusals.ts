import type { Said } from '../translator.ts'

/**
 * Why the gateway refuses something, by its English words. `{}` stands for what differs, `{1}` for the first of those.
 */
export const refusals: Said = {
  'No {} has this id.': 'Nichts mit dieser ID gefunden ({1}).',
  'No API key has this id.': 'Kein API-Schlüssel hat diese ID.',
  'No batch has this id.': 'Keine Kampagne hat diese ID.',
  'No channel has this id.': 'Kein Kanal hat diese ID.',
  'No contact has this id.': 'Kein Kontakt hat diese ID.',
  'No delivery has this id.': 'Keine Zustellung hat diese ID.',
  'No line has this id.': 'Keine Leitung hat diese ID.',
  'No message has this id.': 'Keine Nachricht hat diese ID.',
  'No request has this id.': 'Keine Anfrage hat diese ID.',
  'No template has this id.': 'Keine Vorlage hat diese ID.',
  'No webhook has this id.': 'Kein Webhook hat diese ID.',
  'No workspace has this id.': 'Kein Arbeitsbereich hat diese ID.',
  'is required': 'ist nötig',
  'is not a known field': 'ist kein bekanntes Feld',
  'is not an international number: country code first, 7 to 15 digits in all':
    'ist keine internationale Nummer: zuerst die Landesvorwahl, insgesamt 7 bis 15 Ziffern',
  'ends in .0, as a spreadsheet writes a number that is no text: leave out the .0':
    'endet auf .0, wie eine Tabelle eine Zahl schreibt: Lassen Sie das .0 weg',
  'has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)':
    'hat eine Null in Klammern, wie +49 (0)151…: Lassen Sie die (0) weg',
  'begins with 00, which only some countries dial before a country code: write + in its place':
    'beginnt mit 00, das nur manche Länder vor der Landesvorwahl wählen: Schreiben Sie dafür +',
  'begins with 0, as it is dialled inside its country: write it as it is dialled from abroad, + and country code first':
    'beginnt mit 0, wie im eigenen Land gewählt: Schreiben Sie sie wie aus dem Ausland gewählt, zuerst + und ' +
    'Landesvorwahl',
  'must not have more than {} elements': 'darf nicht mehr als {1} Elemente haben',
  'must not have more than {} fields': 'darf nicht mehr als {1} Felder haben',
  'Too many failed sign-ins. Try again after Retry-After seconds.':
    'Zu viele fehlgeschlagene Anmeldungen. Versuchen Sie es später noch einmal.',
  'The limit of {} changes in 15 minutes is reached. Try again after Retry-After seconds.':
    'Die Grenze von {1} Änderungen in 15 Minuten ist erreicht. Versuchen Sie es später noch einmal.',
  'is not your password': 'ist nicht Ihr Passwort',
  'An authenticator app is set up. Remove it first.':
    'Eine Authenticator-App ist eingerichtet. Entfernen Sie sie zuerst.',
  'is not the current code of the app': 'ist nicht der jetzige Code der App',
  'The app is already confirmed, or the set-up of another one has begun.':
    'Die App ist schon bestätigt, oder die Einrichtung einer anderen hat begonnen.',
  'The email address or the password is wrong.': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'Send the password again with a code of your authenticator app, or a recovery code.':
    'Geben Sie zum Passwort einen Code Ihrer Authenticator-App ein, oder einen Wiederherstellungscode.',
  'The code is wrong, or it was used before.': 'Der Code ist falsch oder wurde schon benutzt.',
  'The sign-in has ended. Sign in again.': 'Die Anmeldung ist abgelaufen. Melden Sie sich wieder an.',
  'Somebody else has changed who has it. Look again.':
    'Jemand anders hat geändert, wer sie hat. Sehen Sie noch einmal nach.',
  'is no member who may answer': 'ist kein Mitglied, das antworten darf',
  'The sandbox is connected. {}': 'Die Sandbox ist verbunden. {1}',
  'The sandbox is connected, but its callbacks are not set up: {}.':
    'Die Sandbox ist verbunden, aber ihre Rückmeldungen sind nicht eingerichtet: {1}.',
  'The upstream platform of this gateway is not the sandbox: connect an account instead.':
    'Die Plattform dieses Gateways ist nicht die Sandbox: Verbinden Sie stattdessen ein Konto.',
  'Use GET: there is no HEAD here.': 'Verwenden Sie GET: HEAD gibt es hier nicht.',
  'Sign in: send a valid access token as Authorization: Bearer.': 'Melden Sie sich an.',
  'No such workspace.': 'Diesen Arbeitsbereich gibt es nicht.',
  'This needs the role {} in the workspace; yours is {}.':
    'Das braucht im Arbeitsbereich die Rolle „{1}“; Ihre ist „{2}“.',
  'This address answers only pages of this gateway.': 'Diese Adresse antwortet nur Seiten dieses Gateways.',
  'Send the body as application/json.': 'Senden Sie den Inhalt als application/json.',
  'The invitation is for {}, and you are signed in as {}.':
    'Die Einladung ist für {1}, und Sie sind als {2} angemeldet.',
  '{} has an account. Sign in, then open the link again.':
    '{1} hat ein Konto. Melden Sie sich an und öffnen Sie den Link noch einmal.',
  'This message is still waiting to be sent.': 'Diese Nachricht wartet noch darauf, gesendet zu werden.',
  'The content of this message is no longer stored.': 'Der Inhalt dieser Nachricht ist nicht mehr gespeichert.',
  'This link was used before, was replaced, or has expired.':
    'Dieser Link wurde schon benutzt, ersetzt oder ist abgelaufen.',
  'Too many files are being uploaded. Try again after Retry-After seconds.':
    'Zu viele Dateien werden gerade hochgeladen. Versuchen Sie es gleich noch einmal.',
  'No picture or video is the example of this header.': 'Das Beispiel dieses Kopfes ist weder Bild noch Video.',
  'The example cannot be fetched.': 'Das Beispiel kann nicht geholt werden.',
  'The body is larger than {} bytes.': 'Der Inhalt ist größer als {1} Bytes.',
  'did not arrive within {} seconds': 'kam nicht innerhalb von {1} Sekunden an',
  'ended before it was whole': 'endete, bevor es vollständig war',
  'Unexpected error on our side. Give the X-Request-Id when you report it.':
    'Unerwarteter Fehler auf unserer Seite. Nennen Sie die Anfrage-ID, wenn Sie ihn melden.',
  'The database cannot be used at the moment. Try again after Retry-After seconds.':
    'Die Datenbank ist im Moment nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  'No such route.': 'Diese Adresse gibt es nicht.',
  'No file of a user has this id.': 'Keine Datei hat diese ID.',
  'The store of files cannot be read at the moment. Try again after Retry-After seconds.':
    'Der Speicher der Dateien ist im Moment nicht lesbar. Versuchen Sie es gleich noch einmal.',
  ['Nothing was removed: {} to be sent {} the {} {}. Stop new ones (deactivate the line), wait until these are ' +
    'sent or cancel those that are scheduled, and try again.']:
    'Nichts wurde entfernt: Es warten noch Nachrichten ({1}). Halten Sie neue auf (deaktivieren Sie die Leitung), ' +
    'warten Sie, bis diese gesendet sind, oder sagen Sie die geplanten ab, und versuchen Sie es noch einmal.',
  'must be a moment in the future': 'muss in der Zukunft liegen',
  'The API key {} is revoked and has no successor.': 'Der API-Schlüssel {1} ist widerrufen und hat keinen Nachfolger.',
  'The API key {} has expired and has no successor.': 'Der API-Schlüssel {1} ist abgelaufen und hat keinen Nachfolger.',
  'must have an item': 'muss einen Eintrag haben',
  'This idempotency key was used before with a different batch. Use a new key for a new batch.':
    'Dieser Idempotenzschlüssel gehörte schon zu einer anderen Kampagne. Verwenden Sie für eine neue Kampagne ' +
    'einen neuen.',
  'The workspace has {} batches that have not ended: cancel some, or wait.':
    'Der Arbeitsbereich hat {1} Kampagnen, die nicht beendet sind: Brechen Sie einige ab, oder warten Sie.',
  'must be in the future; leave it out to start at once': 'muss in der Zukunft liegen; ohne Zeit beginnt es sofort',
  'must be at most {} days ahead': 'darf höchstens {1} Tage voraus liegen',
  'the batch has {} items, and not these behind them: go on with offset {}':
    'die Kampagne hat {1} Einträge, und diese nicht dahinter: weiter mit offset {2}',
  'would be more than {} in all': 'wären insgesamt mehr als {1}',
  'Only a draft takes further items; this batch is {}.':
    'Nur ein Entwurf nimmt weitere Einträge; diese Kampagne ist: {1}.',
  'The batch has no item yet.': 'Die Kampagne hat noch keinen Eintrag.',
  'Only a batch that was started can be retried; this one is {}.':
    'Nur eine begonnene Kampagne kann wiederholt werden; diese ist: {1}.',
  '{} items wait, and the plan has {} messages left this month.':
    '{1} Einträge warten, und im Tarif sind diesen Monat noch {2} Nachrichten.',
  '{} items wait, and the platform lets all numbers of the portfolio write first to {} new people a day.':
    '{1} Einträge warten, und die Plattform lässt alle Nummern des Portfolios zusammen {2} neuen Personen am Tag ' +
    'zuerst schreiben.',
  'The contact was forgotten: nobody knows whom to block.':
    'Der Kontakt wurde vergessen: Niemand weiß, wen man blockieren soll.',
  'No line is active, so nobody can be blocked on one.':
    'Keine Leitung ist aktiv, also kann auf keiner jemand blockiert werden.',
  'The person was not {} {}.{}': 'Das hat nicht geklappt: {2}.{3}',
  'Nothing was changed: {}': 'Nichts wurde geändert: {1}',
  'Nothing was changed: the account {} is connected already.':
    'Nichts wurde geändert: Das Konto {1} ist schon verbunden.',
  ['Nothing was changed: the account {} is already connected in the workspace {}, and its callbacks go to only ' +
    'one of them. Is this the right account?']:
    'Nichts wurde geändert: Das Konto {1} ist schon im Arbeitsbereich {2} verbunden, und seine Rückmeldungen gehen ' +
    'nur an einen. Ist es das richtige Konto?',
  'is the id of the {}, not that of a phone number':
    'ist die ID von etwas anderem ({1}), nicht die einer Telefonnummer',
  'The channel has a line with the upstream phone id {} already.':
    'Der Kanal hat schon eine Leitung mit der Telefon-ID {1}.',
  'The line is inactive, so it cannot be the default until it is activated.':
    'Die Leitung ist nicht aktiv, also kann sie erst die Standardleitung sein, wenn sie aktiviert ist.',
  'Callbacks are not set up: {}. {}': 'Rückmeldungen sind nicht eingerichtet: {1}. {2}',
  'The contact was forgotten: it gets no name.': 'Der Kontakt wurde vergessen: Er bekommt keinen Namen.',
  'one of the lines is none of this workspace': 'eine der Leitungen gehört nicht zu diesem Arbeitsbereich',
  'Only an owner can make, change or remove an owner.':
    'Nur ein Inhaber kann einen Inhaber ernennen, ändern oder entfernen.',
  'The operator of this gateway has invited this address. That invitation counts until it is used or expires.':
    'Der Betreiber dieses Gateways hat diese Adresse eingeladen. Diese Einladung gilt, bis sie benutzt wird oder ' +
    'abläuft.',
  'The user {} is already a member of the workspace {}{}.': '{1} ist schon Mitglied dieses Arbeitsbereichs.',
  'Too many invitations are open. Withdraw some first.':
    'Zu viele Einladungen sind offen. Ziehen Sie zuerst einige zurück.',
  'No user with the email {}.': 'Kein Nutzer hat die E-Mail-Adresse {1}.',
  'No such invitation.': 'Diese Einladung gibt es nicht.',
  'No such member.': 'Dieses Mitglied gibt es nicht.',
  'A workspace keeps at least one owner. Make somebody else an owner first.':
    'Ein Arbeitsbereich behält mindestens einen Inhaber. Ernennen Sie zuerst jemand anders.',
  'No authenticator app is set up.': 'Keine Authenticator-App ist eingerichtet.',
  'Only a message of unknown outcome can be settled; this one is {}.':
    'Nur eine Nachricht mit unbekanntem Ausgang kann geklärt werden; diese ist: {1}.',
  'Only a message that waits for its time can be moved or cancelled; this one is {}.':
    'Nur eine Nachricht, die auf ihre Zeit wartet, kann verschoben oder abgesagt werden; diese ist: {1}.',
  'each {}': 'jedes: {1}',
  '“{}” is a word that opts out too': '„{1}“ ist auch ein Wort, das abmeldet',
  'must have words, or be null': 'muss Wörter haben oder leer sein',
  'The contact was forgotten: nobody knows who is meant.':
    'Der Kontakt wurde vergessen: Niemand weiß, wer gemeint ist.',
  'Too many sign-ins at once. Try again after Retry-After seconds.':
    'Zu viele Anmeldungen auf einmal. Versuchen Sie es gleich noch einmal.',
  'names no time zone, as Europe/Berlin does': 'nennt keine Zeitzone wie Europe/Berlin',
  'must leave a day: nothing would ever be sent': 'muss einen Tag frei lassen: Sonst würde nie etwas gesendet',
  '{}: the upstream platform asks for it; here it is not needed':
    '{1}: Die Plattform verlangt es; hier ist es nicht nötig',
  '{}: the upstream platform calls it so; here it is {}': '{1}: Die Plattform nennt es so; hier heißt es {2}',
  'does not belong to the type {}': 'gehört nicht zum Typ {1}',
  'is required, unless {} is given': 'ist nötig, wenn {1} fehlt',
  'must not be given together with {}: one message, one recipient':
    'darf nicht zusammen mit {1} angegeben werden: eine Nachricht, ein Empfänger',
  'is required, unless one of {} is given; {} when the template has no variables':
    'ist nötig, wenn keines von {1} angegeben ist; {2}, wenn die Vorlage keine Variablen hat',
  'must not be white space alone': 'darf nicht nur aus Leerzeichen bestehen',
  'must be {}: the file begins with something else': 'muss sein: {1}; die Datei beginnt mit etwas anderem',
  'The templates of {} could not be read: {}': 'Die Vorlagen von {1} konnten nicht gelesen werden: {2}',
  'is not set for the channel': 'ist für den Kanal nicht gesetzt',
  'An example is uploaded with the app id of the channel, and it has none. Set it: channel set-app-id.':
    'Ein Beispiel wird mit der App-ID des Kanals hochgeladen, und er hat keine. Setzen Sie sie: channel set-app-id.',
  'The answer of the upstream platform was lost: it may have been {}. Read the list again before you repeat it.':
    'Die Antwort der Plattform ging verloren: Vielleicht ist es geschehen. Lesen Sie die Liste neu, bevor Sie es ' +
    'wiederholen.',
  'The upstream platform could not be reached: nothing was {}. Try again shortly.':
    'Die Plattform war nicht erreichbar: Nichts ist geschehen. Versuchen Sie es gleich noch einmal.',
  'The secret of the webhook is lost: nothing can be signed until it is rotated.':
    'Das Geheimnis des Webhooks ist verloren: Nichts kann signiert werden, bis es erneuert ist.',
  'The workspace has {} endpoints already, which is as many as it may have. Remove one first.':
    'Der Arbeitsbereich hat schon {1} Endpunkte, mehr darf er nicht haben. Entfernen Sie zuerst einen.',
  'Its secrets were changed at the same moment. Try again.':
    'Seine Geheimnisse wurden im selben Moment geändert. Versuchen Sie es noch einmal.',
  'must have one of eventId, failedSince and since': 'muss eines von eventId, failedSince und since haben',
  'A replay of this workspace is under way. Try again when it has ended.':
    'Eine Wiederholung dieses Arbeitsbereichs läuft. Versuchen Sie es, wenn sie beendet ist.',
  'This event is not kept any more, or has nothing to tell in the format of the endpoint.':
    'Dieses Ereignis ist nicht mehr gespeichert oder hat im Format des Endpunkts nichts zu sagen.',
  'there is no event of this workspace with this id': 'in diesem Arbeitsbereich gibt es kein Ereignis mit dieser ID',
  'Only an owner of a workspace without a limit of the operator can make another one. Ask your operator.':
    'Nur ein Inhaber eines Arbeitsbereichs ohne Grenze des Betreibers kann einen weiteren anlegen. Fragen Sie ' +
    'Ihren Betreiber.',
  'An owner may have {} {} here, and you have as many. Ask your operator for another one.':
    'Ein Inhaber darf hier {1} Arbeitsbereiche haben, und so viele haben Sie. Fragen Sie Ihren Betreiber nach ' +
    'einem weiteren.',
  'The operator allows {} messages a month at most.': 'Der Betreiber erlaubt höchstens {1} Nachrichten im Monat.',
  'names an authentication template, which the upstream platform sends to phone numbers alone':
    'nennt eine Vorlage zur Anmeldung, die die Plattform nur an Telefonnummern sendet',
  'The template does not exist in templateLanguage; it exists in {}.':
    'Die Vorlage gibt es in dieser Sprache nicht; es gibt sie in {1}.',
  'The template is not approved: its status is {}{}, since {}.':
    'Die Vorlage ist nicht genehmigt: Ihr Status ist {1}{2}, seit {3}.',
  "must name one of the template's languages: {}": 'muss eine der Sprachen der Vorlage nennen: {1}',
  'authentication is for a phone number: the upstream platform sends no code to a user id':
    'eine Anmeldung braucht eine Telefonnummer: Die Plattform sendet keinen Code an eine Nutzer-ID',
  'needs a category': 'braucht eine Kategorie',
  'Direct Send is switched off for the line: leave out category, or ask who runs the gateway to switch it on.':
    'Direct Send ist für die Leitung abgeschaltet: Lassen Sie die Kategorie weg, oder bitten Sie den Betreiber, es ' +
    'einzuschalten.',
  'must be {}: approved is this spelling alone': 'muss {1} sein: Nur diese Schreibweise ist genehmigt',
  '{} has several active lines and no default line: say in phoneNumberId which one to use.':
    'Es gibt mehrere aktive Leitungen und keine Standardleitung: Wählen Sie eine.',
  'The API key may not send from the line that phoneNumberId names: it is limited to other lines.':
    'Der API-Schlüssel darf nicht von dieser Leitung senden: Er ist auf andere beschränkt.',
  '{} names no file of this workspace.': '{1} nennt keine Datei dieses Arbeitsbereichs.',
  'names a file that is not stored: {}': 'nennt eine Datei, die nicht gespeichert ist: {1}',
  'the file {}': 'die Datei {1}',
  'The upstream platform did not take the file: {}': 'Die Plattform nahm die Datei nicht an: {1}',
  'The upstream platform refused the message: {}': 'Die Plattform lehnte die Nachricht ab: {1}',
  'The message was not sent: {}': 'Die Nachricht wurde nicht gesendet: {1}',
  ['The recipient wants no marketing messages, and this workspace or key does not send them then (onOptOut). ' +
    'Other messages reach it.']:
    'Der Empfänger will keine Werbung, und dieser Arbeitsbereich sendet sie dann nicht. Andere Nachrichten kommen an.',
  '{} names no message of this workspace.': '{1} nennt keine Nachricht dieses Arbeitsbereichs.',
  'names a message without an id of the upstream platform: it has none yet, or was erased':
    'nennt eine Nachricht ohne ID der Plattform: Sie hat noch keine, oder wurde gelöscht',
  '{} Nothing was accepted; try again shortly.':
    'Im Moment ist zu viel los. Nichts wurde angenommen; versuchen Sie es gleich noch einmal.',
  'This idempotency key was used before with a different body. Use a new key for a new message.':
    'Dieser Idempotenzschlüssel gehörte schon zu einer anderen Nachricht. Eine neue Nachricht braucht einen neuen.',
  'The line was removed while the message was sent.':
    'Die Leitung wurde entfernt, während die Nachricht gesendet wurde.',
  'The monthly message limit of this workspace is reached.':
    'Die monatliche Grenze der Nachrichten dieses Arbeitsbereichs ist erreicht.',
  "The recipient's 24-hour window on the line is not open: send a template, or wait until the recipient writes.":
    'Das 24-Stunden-Fenster des Empfängers ist auf dieser Leitung nicht offen: Senden Sie eine Vorlage, oder ' +
    'warten Sie, bis er schreibt.',
  'It cannot be read any more.': 'Sie ist nicht mehr lesbar.',
  'contactId names no contact of this workspace.': 'Diesen Kontakt gibt es in diesem Arbeitsbereich nicht.',
  'must be 1 minute to 35 days ahead: from {} to {}; it is now {}':
    'muss 1 Minute bis 35 Tage voraus liegen: von {1} bis {2}; jetzt ist {3}',
  'The request is malformed. {}: {}': 'Die Anfrage ist nicht richtig. {1}: {2}',
  '{} (and {} more)': '{1} (und {2} weitere)',
  '{}; this one is {}.': '{1}; diese ist: {2}.',
  'The file has {} bytes, and none of them are in this range.':
    'Die Datei hat {1} Bytes, und keines liegt in diesem Bereich.',
  'Only a draft or a scheduled batch can be started':
    'Nur ein Entwurf oder eine geplante Kampagne kann gestartet werden',
  'Only a running batch can be paused': 'Nur eine laufende Kampagne kann angehalten werden',
  'Only a paused batch can be resumed': 'Nur eine angehaltene Kampagne kann fortgesetzt werden',
  'A batch that is done cannot be cancelled': 'Eine beendete Kampagne kann nicht abgebrochen werden',
  'says that it starts now: leave out sendAt, or this':
    'sagt, dass sie jetzt beginnt: lassen Sie sendAt weg, oder dies',
  'Only a draft or a scheduled batch gets another time; this batch is {}.':
    'Nur ein Entwurf oder eine geplante Kampagne bekommt eine andere Zeit; diese Kampagne ist: {1}.',
  'The batch has no item with this number.': 'Die Kampagne hat keinen Eintrag mit dieser Nummer.',
  'Only what still waits can be left out; this item is becoming a message, is one, or never will be.':
    'Nur was noch wartet, kann entfallen; dieser Eintrag wird gerade eine Nachricht, ist eine oder wird keine.',
  'on {}, because {}': 'auf {1}, denn {2}',
  'only who has written to the line within 24 hours can be blocked':
    'nur wer in den letzten 24 Stunden an die Leitung schrieb, kann blockiert werden',
  'its list of {} blocked people is full: unblock somebody else first':
    'ihre Liste von {1} blockierten Personen ist voll: Heben Sie zuerst eine andere Blockierung auf',
  'the platform said: {}': 'die Plattform sagte: {1}',
  'The upstream platform could not be reached': 'Die Plattform war nicht erreichbar',
  'The upstream platform gave no answer': 'Die Plattform gab keine Antwort',
  'It waited to be sent for longer than its ttlSeconds': 'Sie wartete länger aufs Senden, als ihre ttlSeconds erlauben',
  'Its time passed more than {} minutes before the gateway was there to send it.':
    'Ihre Zeit war mehr als {1} Minuten vorbei, bevor das Gateway da war, um sie zu senden.',
  'must be in the future; leave it out to send it with the batch':
    'muss in der Zukunft liegen; ohne Zeit wird es mit der Kampagne gesendet',
}
