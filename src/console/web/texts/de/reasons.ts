import type { Said } from '../translator.ts'

/** What the codes of the platform (src/graph/codeTable.ts) and ours (src/base/errors.ts) mean, by the English words. */
export const reasons: Said = {
  'Account made too many calls': 'Konto machte zu viele Aufrufe',
  'The account or the app made too many calls.': 'Das Konto oder die App machte zu viele Aufrufe.',
  'Send it again later. If it happens often, send more slowly.':
    'Später noch einmal senden. Kommt es oft vor, langsamer senden.',
  'Line sent too fast': 'Leitung sendete zu schnell',
  'The line sent too many messages in a short time.': 'Die Leitung sendete in kurzer Zeit zu viele Nachrichten.',
  'Send it again later. If it happens often, lower the pace of the line.':
    'Später noch einmal senden. Kommt es oft vor, das Tempo der Leitung verringern.',
  'Too many to this recipient': 'Zu viele an diesen Empfänger',
  'Too many messages went to this recipient in a short time.':
    'An diesen Empfänger gingen in kurzer Zeit zu viele Nachrichten.',
  'Send it again later, and fewer messages to one person.':
    'Später noch einmal senden, und einer Person weniger Nachrichten.',
  'Platform was overloaded': 'Plattform war überlastet',
  'The platform was down or overloaded for a moment.':
    'Die Plattform war für einen Moment nicht erreichbar oder überlastet.',
  'Send again later.': 'Später noch einmal senden.',
  'Line was being moved': 'Leitung zog gerade um',
  'The line was being moved to other hardware, which takes about a minute.':
    'Die Leitung zog auf andere Rechner um, was etwa eine Minute dauert.',
  'Send again in some minutes.': 'In einigen Minuten noch einmal senden.',
  'Refused without a clear reason': 'Ohne klaren Grund abgelehnt',
  'The platform refused without a clear reason. It does not promise that nothing was sent.':
    'Die Plattform lehnte ohne klaren Grund ab. Sie sagt nicht zu, dass nichts gesendet wurde.',
  'Wait for a callback. Send again only if the recipient got nothing.':
    'Auf eine Rückmeldung warten. Nur noch einmal senden, wenn beim Empfänger nichts ankam.',
  'Request was not accepted': 'Anfrage wurde nicht angenommen',
  'The platform does not take this request.': 'Die Plattform nimmt diese Anfrage nicht an.',
  "Correct what the platform's words name. The same request would be refused again.":
    'Berichtigen, was die Plattform nennt. Dieselbe Anfrage würde wieder abgelehnt.',
  'Not sent for now': 'Vorerst nicht gesendet',
  'The platform does not send this message for now.': 'Die Plattform sendet diese Nachricht vorerst nicht.',
  'Wait at least 24 hours before you try again.': 'Mindestens 24 Stunden warten, bevor Sie es noch einmal versuchen.',
  'Platform limits the account': 'Plattform begrenzt das Konto',
  'The platform limits the account.': 'Die Plattform begrenzt das Konto.',
  "Look at the account in the platform's own console, and do what it asks for.":
    'Das Konto in der Konsole der Plattform ansehen und tun, was sie verlangt.',
  'Line or account is blocked': 'Leitung oder Konto gesperrt',
  'The line or the account may not send.': 'Die Leitung oder das Konto darf nicht senden.',
  "Look at the account in the platform's own console: it says what is missing or restricted.":
    'Das Konto in der Konsole der Plattform ansehen: Dort steht, was fehlt oder eingeschränkt ist.',
  'Access token not valid': 'Zugriffstoken ist nicht gültig',
  'The access token of the channel is not valid any more.': 'Das Zugriffstoken des Kanals ist nicht mehr gültig.',
  'Make a new token in the platform and give it to the channel. Nothing can be sent before that.':
    'In der Plattform ein neues Token erstellen und dem Kanal geben. Vorher kann nichts gesendet werden.',
  'The line sent more messages a second than it may.':
    'Die Leitung sendete mehr Nachrichten in der Sekunde, als sie darf.',
  'Line restricted after reports': 'Leitung nach Meldungen eingeschränkt',
  'The line is restricted, because recipients reported or blocked it.':
    'Die Leitung ist eingeschränkt, weil Empfänger sie gemeldet oder blockiert haben.',
  'Send less and only to people who expect it. The restriction lasts for hours.':
    'Weniger senden, und nur an Personen, die es erwarten. Die Einschränkung dauert Stunden.',
  'Field or file not valid': 'Feld oder Datei nicht gültig',
  'A field of the request is not valid, misspelled or too long, or a file expired.':
    'Ein Feld der Anfrage ist nicht gültig, falsch geschrieben oder zu lang, oder eine Datei ist abgelaufen.',
  'Recipient is blocked by you': 'Empfänger ist von Ihnen blockiert',
  'Your business has blocked the recipient on this line.':
    'Ihr Unternehmen hat den Empfänger auf dieser Leitung blockiert.',
  'Unblock the person in the conversation, or do not write to this person any more.':
    'Die Blockierung in der Unterhaltung aufheben, oder dieser Person nicht mehr schreiben.',
  'Recipient is in an experiment': 'Empfänger ist in einem Versuch',
  'The recipient is part of an experiment of the platform and gets no marketing.':
    'Der Empfänger nimmt an einem Versuch der Plattform teil und bekommt keine Werbung.',
  'Nothing. The recipient gets other kinds of messages.': 'Nichts. Andere Arten von Nachrichten bekommt der Empfänger.',
  'Country is not allowed': 'Land ist nicht erlaubt',
  'The account may not send to this country.': 'Das Konto darf nicht in dieses Land senden.',
  'Remove such recipients from your list.': 'Solche Empfänger aus Ihrer Liste nehmen.',
  'Required field is missing': 'Ein Pflichtfeld fehlt',
  'A required field is missing.': 'Es fehlt ein Feld, das nötig ist.',
  'Value is not valid': 'Wert ist nicht gültig',
  'The value of a field is not valid.': 'Der Wert eines Feldes ist nicht gültig.',
  'Sender is the recipient': 'Absender ist der Empfänger',
  'Sender and recipient are the same number.': 'Absender und Empfänger sind dieselbe Nummer.',
  'Send to another number.': 'An eine andere Nummer senden.',
  'Number cannot be reached': 'Nummer ist nicht erreichbar',
  'The message cannot be delivered: the number has no account, an old app, or has not accepted the terms.':
    'Die Nachricht kann nicht zugestellt werden: Die Nummer hat kein Konto, eine alte App oder hat die Bedingungen ' +
    'nicht angenommen.',
  ['Check the number with the recipient, or use another way to reach them. Some countries write one mobile number ' +
    'in two ways, with and without one more digit: perhaps the other one is known.']:
    'Die Nummer mit dem Empfänger prüfen, oder ihn auf anderem Weg erreichen. Manche Länder schreiben eine ' +
    'Mobilnummer auf zwei Arten, mit und ohne eine weitere Ziffer: Vielleicht ist die andere bekannt.',
  'Not on the test list': 'Nicht auf der Testliste',
  "The recipient is not on the test line's list.": 'Der Empfänger steht nicht auf der Liste der Testleitung.',
  ["Add the number to the list in the platform's own console, or send from a real line. Some countries write one " +
    'mobile number in two ways, with and without one more digit: perhaps the other one is known.']:
    'Die Nummer in der Konsole der Plattform auf die Liste setzen, oder von einer echten Leitung senden. Manche ' +
    'Länder schreiben eine Mobilnummer auf zwei Arten, mit und ohne eine weitere Ziffer: Vielleicht ist die andere ' +
    'bekannt.',
  'Over 24 hours without answer': 'Über 24 Stunden ohne Antwort',
  'For the platform, more than 24 hours have passed since the recipient wrote last.':
    'Für die Plattform hat der Empfänger vor mehr als 24 Stunden zuletzt geschrieben.',
  ['Send an approved template. Free texts are possible only within 24 hours of an answer. Where the window is ' +
    'shown as open, the platform may not have seen that answer yet: send it again.']:
    'Eine genehmigte Vorlage senden. Freie Texte gehen nur innerhalb von 24 Stunden nach einer Antwort. Wo das ' +
    'Fenster als offen gilt, hat die Plattform die Antwort vielleicht noch nicht gesehen: noch einmal senden.',
  'Recipient stopped marketing': 'Empfänger will keine Werbung',
  'The recipient stopped marketing from this business.':
    'Der Empfänger hat die Werbung dieses Unternehmens abbestellt.',
  'Send no marketing to this person any more. Other categories still arrive.':
    'Dieser Person keine Werbung mehr senden. Andere Kategorien kommen weiter an.',
  'Unknown kind of message': 'Unbekannte Art von Nachricht',
  'The platform does not know this kind of message.': 'Die Plattform kennt diese Art von Nachricht nicht.',
  'File could not be used': 'Datei war nicht verwendbar',
  'A file could not be used: its type, its size or its address.':
    'Eine Datei war nicht verwendbar: ihr Typ, ihre Größe oder ihre Adresse.',
  ['Check that the link is public and that the file has a type and a size that the platform takes: of Opus, ' +
    'audio/ogg; codecs=opus, and for a voice message with one channel.']:
    'Prüfen, ob der Link öffentlich ist und die Datei einen Typ und eine Größe hat, die die Plattform nimmt: von ' +
    'Opus audio/ogg; codecs=opus, und für eine Sprachnachricht mit einem Kanal.',
  'Not for the marketing address': 'Nicht für die Werbeadresse',
  'This kind of message cannot be sent to the marketing address.':
    'Diese Art von Nachricht kann nicht an die Werbeadresse gesendet werden.',
  'Needs a phone number': 'Braucht eine Telefonnummer',
  'This message cannot be sent to a user id.': 'Diese Nachricht kann nicht an eine Nutzer-ID gesendet werden.',
  'Send it to the phone number.': 'An die Telefonnummer senden.',
  'Values do not fit template': 'Werte passen nicht zur Vorlage',
  'A value does not fit the template: its number, format or kind.':
    'Ein Wert passt nicht zur Vorlage: die Anzahl, das Format oder die Art.',
  'Compare the values with the template on the templates page; it shows the exact keys.':
    'Die Werte mit der Vorlage auf der Seite der Vorlagen vergleichen; dort stehen die genauen Schlüssel.',
  'Template missing or not approved': 'Vorlage fehlt oder nicht genehmigt',
  'The template does not exist in this language, or is not approved.':
    'Die Vorlage gibt es in dieser Sprache nicht, oder sie ist nicht genehmigt.',
  'Look at the template on the templates page. The listing was read again.':
    'Die Vorlage auf der Seite der Vorlagen ansehen. Die Liste wurde neu gelesen.',
  'Filled text is too long': 'Ausgefüllter Text ist zu lang',
  'The text is too long once its values are filled in.': 'Mit den eingesetzten Werten ist der Text zu lang.',
  'Send shorter values.': 'Kürzere Werte senden.',
  'Content is against the rules': 'Inhalt verstößt gegen die Regeln',
  'The content is against the rules of the platform.': 'Der Inhalt verstößt gegen die Regeln der Plattform.',
  'Change the content.': 'Den Inhalt ändern.',
  'Template is disabled': 'Vorlage ist abgeschaltet',
  'The template is disabled for good.': 'Die Vorlage ist für immer abgeschaltet.',
  'Make a new template.': 'Eine neue Vorlage erstellen.',
  'Flow is blocked': 'Flow ist gesperrt',
  'The flow is blocked.': 'Der Flow ist gesperrt.',
  "Look at the flow in the platform's own console.": 'Den Flow in der Konsole der Plattform ansehen.',
  'Values were not accepted': 'Werte wurden nicht angenommen',
  'The platform has a problem with the values, and does not say which.':
    'Die Plattform hat ein Problem mit den Werten und sagt nicht, mit welchem.',
  'Identity of recipient changed': 'Identität des Empfängers geändert',
  "The recipient's identity key has changed.": 'Der Identitätsschlüssel des Empfängers hat sich geändert.',
  'Check with the recipient, then send again.': 'Beim Empfänger nachfragen, dann noch einmal senden.',
  'Line takes no calls': 'Leitung nimmt keine Anrufe an',
  'The line does not take calls, so no message of it can have a button for one.':
    'Die Leitung nimmt keine Anrufe an, also kann keine ihrer Nachrichten eine Schaltfläche dafür haben.',
  "Allow calls for the number in the platform's own console.":
    'In der Konsole der Plattform Anrufe für die Nummer erlauben.',
  'Too much marketing for recipient': 'Zu viel Werbung für Empfänger',
  'The platform did not deliver it, to protect the recipient from too much marketing.':
    'Die Plattform stellte sie nicht zu, um den Empfänger vor zu viel Werbung zu schützen.',
  'Wait at least 24 hours, and send less marketing to this person.':
    'Mindestens 24 Stunden warten, und dieser Person weniger Werbung senden.',
  'Template is paused': 'Vorlage ist angehalten',
  'The template is paused, because too many recipients gave a bad answer.':
    'Die Vorlage ist angehalten, weil zu viele Empfänger sie schlecht bewerteten.',
  'Change the template, or wait until the platform sends it again.':
    'Die Vorlage ändern, oder warten, bis die Plattform sie wieder sendet.',
  'Flow is throttled': 'Flow ist gedrosselt',
  'The flow is throttled to ten messages an hour.': 'Der Flow ist auf zehn Nachrichten in der Stunde gedrosselt.',
  "Correct the flow's endpoint, then send again later.":
    'Den Endpunkt des Flows berichtigen, dann später noch einmal senden.',
  'Template is not ready yet': 'Vorlage ist noch nicht bereit',
  'The template is not ready for marketing yet.': 'Die Vorlage ist noch nicht für Werbung bereit.',
  'Try again in some minutes.': 'In einigen Minuten noch einmal versuchen.',
  'Templates in wrong categories': 'Vorlagen in falschen Kategorien',
  'The account is limited, because it put templates into wrong categories.':
    'Das Konto ist begrenzt, weil es Vorlagen in falsche Kategorien gesetzt hat.',
  'Direct Send is blocked': 'Direct Send ist gesperrt',
  'The platform has blocked Direct Send for the account.': 'Die Plattform hat Direct Send für das Konto gesperrt.',
  "Send a template, or look at the account in the platform's own console.":
    'Eine Vorlage senden, oder das Konto in der Konsole der Plattform ansehen.',
  'App may not do this': 'App darf das nicht',
  'The app may not use this function.': 'Die App darf diese Funktion nicht verwenden.',
  'Token lacks a permission': 'Dem Token fehlt eine Berechtigung',
  'The access token lacks a permission.': 'Dem Zugriffstoken fehlt eine Berechtigung.',
  'Give the token the permissions for messages.': 'Dem Token die Berechtigungen für Nachrichten geben.',
  'Line was deleted': 'Leitung wurde gelöscht',
  'The line was deleted in the platform.': 'Die Leitung wurde in der Plattform gelöscht.',
  'Remove the line here, or add it there again.': 'Die Leitung hier entfernen, oder dort wieder hinzufügen.',
  'Account restricted or locked': 'Konto eingeschränkt oder gesperrt',
  'The account is restricted or locked, because it broke a rule of the platform.':
    'Das Konto ist eingeschränkt oder gesperrt, weil es eine Regel der Plattform verletzt hat.',
  "Open the account in the platform's own console: it names the rule, and how to appeal.":
    'Das Konto in der Konsole der Plattform öffnen: Dort stehen die Regel und der Weg zum Einspruch.',
  'Line or account not found': 'Leitung oder Konto nicht gefunden',
  'The platform does not find the line or the account.': 'Die Plattform findet die Leitung oder das Konto nicht.',
  'Permission is missing': 'Eine Berechtigung fehlt',
  'A permission is missing.': 'Es fehlt eine Berechtigung.',
  'Name of line not approved': 'Name der Leitung nicht genehmigt',
  'The name of the line is not approved yet.': 'Der Name der Leitung ist noch nicht genehmigt.',
  "Have the display name approved in the platform's own console.":
    'Den Anzeigenamen in der Konsole der Plattform genehmigen lassen.',
  'Account has a payment problem': 'Konto hat ein Zahlungsproblem',
  'The account has a problem with its payment.': 'Das Konto hat ein Problem mit seiner Zahlung.',
  "Check the payment method in the platform's own console.": 'Die Zahlungsart in der Konsole der Plattform prüfen.',
  'Number is not registered': 'Nummer ist nicht registriert',
  'The number is not registered, or its PIN is wrong.': 'Die Nummer ist nicht registriert, oder ihre PIN ist falsch.',
  'Register the number by a call to the platform: /docs/meta-setup#number-registration.':
    'Die Nummer durch einen Aufruf bei der Plattform registrieren: /docs/meta-setup#number-registration.',
  'Marketing is switched off': 'Werbung ist abgeschaltet',
  'Marketing templates are switched off for the account.': 'Werbevorlagen sind für das Konto abgeschaltet.',
  ['Register the number by a call to the platform: /docs/meta-setup#number-registration. If it is the ' +
    "recipient's: Some countries write one mobile number in two ways, with and without one more digit: perhaps the " +
    'other one is known.']:
    'Die Nummer durch einen Aufruf bei der Plattform registrieren: /docs/meta-setup#number-registration. Ist es ' +
    'die des Empfängers: Manche Länder schreiben eine Mobilnummer auf zwei Arten, mit und ohne eine weitere ' +
    'Ziffer: Vielleicht ist die andere bekannt.',
  'Payment terms not accepted': 'Zahlungsbedingungen nicht angenommen',
  'The payment terms are not accepted yet.': 'Die Zahlungsbedingungen sind noch nicht angenommen.',
  "Accept them in the platform's own console.": 'Sie in der Konsole der Plattform annehmen.',
  'May not use marketing address': 'Darf Werbeadresse nicht nutzen',
  'The account may not use the marketing address.': 'Das Konto darf die Werbeadresse nicht nutzen.',
  'The request is malformed; details.issues names every problem. Nothing was accepted.':
    'Die Anfrage ist nicht richtig; details.issues nennt jedes Problem. Nichts wurde angenommen.',
  'The workspace has several active lines and no default: say which one in phoneNumberId.':
    'Der Arbeitsbereich hat mehrere aktive Leitungen und keine Standardleitung: In phoneNumberId steht, welche.',
  'phoneNumberId, or lineId, names no line of this workspace.':
    'phoneNumberId oder lineId nennt keine Leitung dieses Arbeitsbereichs.',
  'The requested line is inactive.': 'Die verlangte Leitung ist nicht aktiv.',
  'The workspace has no active line.': 'Der Arbeitsbereich hat keine aktive Leitung.',
  'The template exists, but the upstream platform has not approved it.':
    'Die Vorlage gibt es, aber die Plattform hat sie nicht genehmigt.',
  'The credentials are missing, invalid or revoked.': 'Die Zugangsdaten fehlen, sind ungültig oder widerrufen.',
  'The monthly message limit is reached; details.resetsAt says when counting starts again.':
    'Die monatliche Grenze der Nachrichten ist erreicht; details.resetsAt sagt, wann neu gezählt wird.',
  ['The API key may not do this: details.scope is the scope that it lacks, or details.phoneNumberIds are the only ' +
    'lines that it sends from.']:
    'Der API-Schlüssel darf das nicht: details.scope ist der Bereich, der ihm fehlt, oder details.phoneNumberIds ' +
    'sind die einzigen Leitungen, von denen er sendet.',
  'No such route, template, contact, message or file; or the file is not stored.':
    'Diese Adresse, Vorlage, Datei oder Nachricht oder diesen Kontakt gibt es nicht; oder die Datei ist nicht ' +
    'gespeichert.',
  'This idempotency key was used before with a different body.':
    'Dieser Idempotenzschlüssel wurde schon mit einem anderen Inhalt benutzt.',
  'The send asked for an open window, and the recipient has none: a template may be sent. Nothing was accepted.':
    'Verlangt war ein offenes Fenster, und der Empfänger hat keines: Eine Vorlage kann gesendet werden. Nichts ' +
    'wurde angenommen.',
  'The send has a category, and Direct Send is switched off for the line. Nothing was accepted.':
    'Die Nachricht hat eine Kategorie, und Direct Send ist für die Leitung abgeschaltet. Nichts wurde angenommen.',
  ['A marketing template to who wants no marketing messages, and the workspace or the key refuses those. Nothing ' +
    'was accepted.']:
    'Eine Werbevorlage an jemanden, der keine Werbung will, und der Arbeitsbereich oder der Schlüssel lehnt das ' +
    'ab. Nichts wurde angenommen.',
  'The state of what should be changed does not allow it.':
    'Der Zustand dessen, was geändert werden soll, erlaubt es nicht.',
  'The body is larger than 128 KiB, or a file than 100 MB or MEDIA_STORAGE_MAX.':
    'Der Inhalt ist größer als 128 KiB, oder eine Datei als 100 MB oder MEDIA_STORAGE_MAX.',
  'The body is not application/json.': 'Der Inhalt ist nicht application/json.',
  'The file ends before the range; details.size is its size.':
    'Die Datei endet vor dem Bereich; details.size ist ihre Größe.',
  'Too many requests; try again after Retry-After seconds.':
    'Zu viele Anfragen; nach Retry-After Sekunden noch einmal versuchen.',
  'The upstream platform refused it (400: the request is at fault; 502: the platform or its credentials are).':
    'Die Plattform lehnte es ab (400: die Anfrage ist schuld; 502: die Plattform oder ihre Zugangsdaten).',
  'Unexpected error on our side; the log has its cause under the request id.':
    'Unerwarteter Fehler auf unserer Seite; das Protokoll hat die Ursache unter der Anfrage-ID.',
  'Not able to accept right now; nothing was accepted. Try again after Retry-After seconds.':
    'Im Moment wird nichts angenommen; nichts wurde angenommen. Nach Retry-After Sekunden noch einmal versuchen.',
  'The password is right. Send it again with a code of the authenticator app, or a recovery code.':
    'Das Passwort stimmt. Senden Sie es noch einmal mit einem Code der Authenticator-App oder einem ' +
    'Wiederherstellungscode.',
}
