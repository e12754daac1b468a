/** The words of the page in German. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Ihr Platz wird gesucht", body: ["Das dauert einige Sekunden. Bitte lassen Sie diese Seite geöffnet."] },
    "in-app": {
      heading: "Öffnen Sie die Seite besser in Ihrem Browser",
      body: [
        "Sie sind im eingebauten Browser einer anderen App. Wenn diese App die Seite schließt, kann Ihr Platz verloren gehen.",
        "Kopieren Sie den Link und öffnen Sie ihn in dem Browser, den Sie sonst benutzen. Wenn Sie bleiben, bekommen Sie hier Ihren Platz. Bis dahin: {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "Die Warteschlange ist gerade nicht erreichbar",
      body: ["Im Moment kann sich niemand anstellen. Diese Seite versucht es weiter und gibt Ihnen so bald wie möglich einen Platz."],
    },
    "storage-full": {
      heading: "Die Warteschlange kann niemanden aufnehmen",
      body: ["Wenn Sie einen Platz haben, behalten Sie ihn. Bitte kommen Sie später wieder; auch diese Seite versucht es weiter."],
    },
    waiting: { heading: "Sie stehen in der Schlange", body: [] },
    next: { heading: "Sie sind als Nächstes dran", body: ["Sie kommen hinein, sobald Platz ist. Bitte bleiben Sie auf dieser Seite."] },
    nearly: { heading: "Gleich ist es so weit", body: ["Bitte bleiben Sie auf dieser Seite und halten Sie Ihre Angaben bereit."] },
    slow: {
      heading: "Sie stehen in der Schlange",
      tab: "Langsamer als erwartet",
      body: ["Die Schlange bewegt sich langsamer als erwartet."],
    },
    "not-moving": { heading: "Die Schlange steht", body: ["Im Moment wird niemand eingelassen. Sie behalten Ihren Platz."] },
    restarted: {
      heading: "Der Warteraum wurde neu gestartet",
      body: ["Die Schlange hat neu begonnen, und Sie haben darin einen neuen Platz."],
    },
    unreachable: {
      heading: "Die Warteschlange ist gerade nicht erreichbar",
      body: ["Sie behalten Ihren Platz. Diese Seite versucht es weiter; Sie brauchen nichts zu tun."],
    },
    paused: { heading: "Die Schlange ist angehalten", body: ["Für den Augenblick wird niemand eingelassen. Sie behalten Ihren Platz."] },
    called: {
      heading: "Sie sind an der Reihe",
      tab: "● An der Reihe",
      body: ["Sie können jetzt hinein.", "Noch {valid}. Danach wird die nächste Person aufgerufen."],
    },
    moment: {
      heading: "Sie sind an der Reihe",
      tab: "● Es geht hinein",
      body: ["Die Seite öffnet sich gleich für Sie, noch {due}. Bitte bleiben Sie auf dieser Seite."],
    },
    missed: {
      heading: "Sie waren weg, als Sie an der Reihe waren",
      tab: "Sie sind als Nächstes dran",
      body: [
        "Sie sind als Nächstes dran: Sie kommen hinein, sobald Platz ist. Bitte bleiben Sie auf dieser Seite.",
        "Diese zweite Gelegenheit besteht noch {valid}.",
      ],
    },
    "missed-others": {
      heading: "Sie waren weg, als Sie an der Reihe waren",
      tab: "Sie sind bald dran",
      body: [
        "Sie gehören zu den Nächsten, nach anderen, die ebenfalls zurückgekommen sind. Bitte bleiben Sie auf dieser Seite.",
        "Diese zweite Gelegenheit besteht noch {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Willkommen zurück",
      body: [
        "Sie waren eine Weile weg, und gerade ist kein Platz frei. Sie gehören zu den Nächsten.",
        "Diese zweite Gelegenheit besteht noch {valid}.",
      ],
    },
    inside: { heading: "Sie sind drin", body: ["Sie wurden eingelassen und können zur Seite weitergehen."] },
    "room-off": { heading: "Sie können hinein", body: ["Es gibt keine Schlange mehr. Die Seite öffnet sich für Sie, noch {due}."] },
    void: {
      heading: "Sie sind in einem anderen Fenster hineingegangen",
      body: ["Ihr Besuch geht dort weiter. Wenn Sie hier weitermachen, endet er dort.", "Sie können hier {takeovers} weitermachen."],
    },
    "void-final": {
      heading: "Sie sind in einem anderen Fenster hineingegangen",
      tab: "Ihr Besuch geht anderswo weiter",
      body: ["Ihr Besuch geht dort weiter. Er hat das Fenster zu oft gewechselt, um hier weiterzugehen.", rejoin],
    },
    left: { heading: "Sie haben die Schlange verlassen", body: [`Ihr Platz ist an die nächste Person gegangen. ${rejoin}`] },
    removed: { heading: "Ihr Platz wurde beendet", body: [`Die Betreiber dieser Seite haben ihn beendet. ${rejoin}`] },
    flushed: {
      heading: "Die Schlange wurde aufgelöst",
      body: ["Die Betreiber dieser Seite haben alle Plätze beendet. Sie können sich neu anstellen."],
    },
    "turn-over": {
      heading: "Ihre Gelegenheit ist vorbei",
      body: [`Sie wurden aufgerufen, und die Zeit zum Zurückkommen ist vorbei. ${rejoin}`],
    },
    "visit-over": { heading: "Ihr Besuch ist zu Ende", body: [`Dieser Besuch ist vorbei. ${rejoin}`] },
    "network-changed": {
      heading: "Sind Sie es noch?",
      body: ["Ihre Verbindung hat mehrmals gewechselt. Ihr Platz ist erhalten: Machen Sie hier weiter, und nichts anderes ändert sich."],
    },
    "place-void": {
      heading: "Ihr Platz ist vergeben",
      body: [`Diese Seite musste ihre Schlüssel wechseln, und ein anderer Browser hat diesen Platz zuerst gezeigt. ${rejoin}`],
    },
    ended: { heading: "Ihr Platz ist zu Ende", body: [`Diesen Platz gibt es in der Schlange nicht mehr. ${rejoin}`] },
    "sold-out": { heading: "Ausverkauft", body: ["Es wird niemand mehr eingelassen. Sie brauchen nicht länger zu warten."] },
    full: {
      heading: "Die Schlange ist voll",
      body: [
        "Für weitere Personen ist gerade kein Platz. Diese Seite versucht es weiter und gibt Ihnen einen Platz, sobald einer frei ist.",
      ],
    },
    closed: {
      heading: "Die Schlange nimmt niemanden mehr auf",
      body: ["Im Moment kann sich niemand anstellen. Wer in der Schlange steht, behält den Platz. Diese Seite versucht es weiter."],
    },
    "network-limit": {
      heading: "Zu viele Personen aus Ihrem Netz",
      body: [
        "Gerade haben sich viele Personen aus Ihrem Netz angestellt. Schulen, Büros und Mobilfunknetze haben oft eine gemeinsame Adresse.",
        "Diese Seite versucht es weiter. Ein anderes Netz, etwa mobile Daten statt WLAN, kann schneller sein.",
      ],
    },
    "network-refused": {
      heading: "Aus diesem Netz kann sich niemand anstellen",
      body: [
        "Die Betreiber dieser Seite lassen aus dem Netz, das Sie benutzen, niemanden in die Schlange. Ein anderes Netz kann helfen, etwa mobile Daten.",
      ],
    },
    challenge: {
      heading: "Zuerst eine kurze Prüfung",
      body: [
        "Gerade kommen viele neu hinzu. Bevor Sie einen Platz bekommen, zeigt Ihr Browser, dass er nicht einer von Tausenden ist, die ein Roboter betreibt.",
      ],
    },
    "cookies-needed": {
      heading: "Bitte erlauben Sie Cookies",
      body: [
        "Ihr Platz wird in einem Cookie aufbewahrt. Ohne ihn können wir nicht wissen, wann Sie an der Reihe sind.",
        "Erlauben Sie in den Einstellungen Ihres Browsers Cookies für diese Seite und versuchen Sie es dann noch einmal.",
      ],
    },
    lobby: {
      heading: "Sie sind im Vorraum",
      body: [
        "Beginn: {starts}.",
        "Am Ort der Veranstaltung ist das {startsThere}.",
        "Sie sind schon gezählt; Sie brauchen nichts zu tun.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    "lobby-line": {
      heading: "Sie stehen in der Schlange, und es hat noch nicht begonnen",
      body: ["Beginn: {starts}.", "Am Ort der Veranstaltung ist das {startsThere}.", "Sie behalten Ihren Platz."],
    },
    delayed: {
      heading: "Es beginnt später als geplant",
      body: [
        "Geplant war: {planned}. Neuer Beginn: {starts}.",
        "Am Ort der Veranstaltung ist das {startsThere}.",
        "Sie sind schon gezählt; Sie brauchen nichts zu tun.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: {
      heading: "Die Plätze werden ausgelost …",
      body: ["{entered}", "Das dauert einige Sekunden. Bitte lassen Sie diese Seite geöffnet."],
    },
    "awaiting-number": {
      heading: "Warten auf die öffentliche Zufallszahl",
      tab: "Die Plätze werden ausgelost …",
      body: [
        "{entered}",
        "Die Reihenfolge folgt aus einer öffentlichen Zufallszahl, die noch niemand kennt. Wir warten auf sie.",
        "Meist kommt sie innerhalb einer halben Minute. Bleibt sie zu lange aus, wird ohne sie ausgelost, und das Protokoll der Auslosung sagt es.",
        "Bitte lassen Sie diese Seite geöffnet.",
      ],
    },
    dealing: {
      heading: "Die Plätze werden verteilt …",
      body: [
        "Alle, die in derselben kurzen Zeit gekommen sind, bekommen untereinander einen zufälligen Platz. Etwas schneller zu sein bringt nichts.",
        "Bitte lassen Sie diese Seite geöffnet.",
      ],
    },
    cancelled: { heading: "Dies wurde abgesagt", body: ["Die Betreiber dieser Seite haben es abgesagt."] },
    "cancelled-line": {
      heading: "Dies wurde abgesagt",
      body: ["Die Betreiber dieser Seite haben es abgesagt. Sie behalten Ihren Platz in der gewöhnlichen Schlange."],
    },
    "outside-events": { heading: "Gerade ist nicht geöffnet", body: ["Öffnung: {opens}.", "Bis dahin wird niemand eingelassen."] },
    rejected: {
      heading: "Im Moment wird niemand eingelassen",
      body: ["Es gibt auch keine Schlange zum Anstellen. Bitte kommen Sie später wieder."],
    },
    "left-lobby": {
      heading: "Sie haben den Vorraum verlassen",
      body: [
        "Ihr Eintrag bleibt gezählt, sein Platz bleibt ungenutzt. Wenn Sie vor dem Beginn wiederkommen, bekommen Sie einen neuen Eintrag.",
      ],
    },
    "invitation-needed": {
      heading: "Sie brauchen eine Einladung",
      body: [
        "Nur wer eine Einladung hat, kann sich hier anstellen. Öffnen Sie den Link Ihrer Einladung in diesem Browser.",
        "Wenn Sie das gerade getan haben, erlauben Sie Cookies für diese Seite und öffnen Sie den Link noch einmal.",
      ],
    },
    "invitation-bad": {
      heading: "Diese Einladung ist nicht lesbar",
      body: [
        "Vielleicht wurde ihr Link unterwegs abgeschnitten oder verändert. Öffnen Sie ihn noch einmal aus der Nachricht, mit der er kam, oder kopieren Sie ihn ganz.",
        "Wenn das nicht hilft, bitten Sie den Absender um eine neue.",
      ],
    },
    "invitation-expired": {
      heading: "Diese Einladung ist abgelaufen",
      body: ["Die Zeit, sie zu benutzen, ist vorbei. Bitten Sie den Absender um eine neue."],
    },
    "invitation-other-room": {
      heading: "Diese Einladung gilt für etwas anderes",
      body: ["Sie öffnet diese Schlange nicht. Suchen Sie die Einladung zu dieser, oder fragen Sie den Absender."],
    },
    "invitation-used": {
      heading: "Diese Einladung ist verbraucht",
      body: [
        "Alle Plätze, die sie gibt, sind vergeben. Wenn einer davon Ihrer ist, machen Sie in dem Browser weiter, in dem Sie sie zuerst geöffnet haben.",
        "Sonst bitten Sie den Absender um eine neue.",
      ],
    },
    "identity-needed": {
      heading: "Bitte melden Sie sich zuerst an",
      body: [
        "Nur wer angemeldet ist, kann sich hier anstellen. Melden Sie sich an, kommen Sie auf diese Seite zurück und versuchen Sie es noch einmal.",
      ],
    },
    "identity-bad": {
      heading: "Bitte melden Sie sich neu an",
      body: [
        "Ihre Anmeldung gilt hier nicht. Melden Sie sich ab und wieder an, kommen Sie auf diese Seite zurück und versuchen Sie es noch einmal.",
      ],
    },
    "identity-expired": {
      heading: "Ihre Anmeldung ist abgelaufen",
      body: [
        "Die Zeit Ihrer Anmeldung ist vorbei. Melden Sie sich neu an, kommen Sie auf diese Seite zurück und versuchen Sie es noch einmal.",
      ],
    },
    "identity-unchecked": {
      heading: "Ihre Anmeldung lässt sich gerade nicht prüfen",
      body: ["Sie brauchen nichts zu tun: Diese Seite versucht es weiter und gibt Ihnen so bald wie möglich einen Platz."],
    },
  },
  ahead: { one: "Person vor Ihnen", other: "Personen vor Ihnen" },
  aheadReturning: { one: "andere zurückgekommene Person vor Ihnen", other: "andere zurückgekommene Personen vor Ihnen" },
  aheadTab: { other: "{n} vor Ihnen" },
  aheadSentence: { one: "{n} Person ist vor Ihnen.", other: "{n} Personen sind vor Ihnen." },
  takesIn: "Wenn Sie an der Reihe sind, bringt diese Seite Sie hinein.",
  returners: {
    one: "{n} Person, die ihre Gelegenheit verpasst hatte, ist zurück und kommt dazwischen.",
    other: "{n} Personen, die ihre Gelegenheit verpasst hatten, sind zurück und kommen dazwischen.",
  },
  wait: "Geschätzte Wartezeit: {wait}",
  waitAt: "Geschätzte Wartezeit: {wait} (gegen {clock})",
  rose: "Die Schlange ist langsamer geworden, deshalb ist die Schätzung jetzt länger als vorher.",
  waitUnknown: "Die Wartezeit lässt sich noch nicht schätzen.",
  about: "etwa {time}",
  lessThan: "weniger als {time}",
  moreThan: "mehr als {time}",
  range: "{from} bis {to}",
  takeovers: { one: "noch {n}-mal", other: "noch {n}-mal" },
  way: "Ihr Weg durch die Schlange",
  message: "Nachricht der Seite",
  messageAt: "Stand: {time}",
  startsIn: "Noch {time} bis zum Beginn",
  startsNow: "Es beginnt. Ihr Platz folgt gleich.",
  entered: { one: "{n} Person ist eingetragen.", other: "{n} Personen sind eingetragen." },
  randomPlace:
    "Alle, die bis dahin eingetragen sind, bekommen einen zufälligen Platz. Sobald der Vorraum offen ist, bringt frühes Kommen nichts.",
  sealed: "Die Auslosung wurde versiegelt, bevor sich jemand eintrug ({commitment}).",
  beaconRule:
    "Sie braucht außerdem eine öffentliche Zufallszahl, die erst nach dem Beginn entsteht; vorher kann niemand die Reihenfolge kennen.",
  beaconNone: "Sie benutzt keine öffentliche Zufallszahl: Wer diesen Warteraum betreibt, hätte die Reihenfolge vorher kennen können.",
  calendar: "In den Kalender eintragen",
  calendarTurn: "{title}: frühestens an der Reihe",
  howDrawn: "Wie ausgelost wird",
  checkDraw: "Wie Ihr Platz ausgelost wurde",
  placeTitle: "Ihr Platz",
  placeNotes: [
    "Ihr Platz wird in diesem Browser aufbewahrt; er geht verloren, wenn Sie Cookies löschen oder ein privates Fenster schließen.",
    "Wenn Sie diese Seite schließen, behalten Sie Ihren Platz. Sind Sie weg, wenn Sie an der Reihe sind, haben Sie mindestens 10 Minuten, um zurückzukommen, und gehören dann zu den Nächsten.",
    "Eingelassen zu werden heißt nicht, dass es das, was Sie möchten, noch gibt.",
  ],
  reference: "Kennzeichen für den Kundendienst: {code}",
  rejoin: "Wenn Sie sich neu anstellen, beginnen Sie am Ende der Schlange.",
  rejoinLobby: "Es hat noch nicht begonnen: Wenn Sie sich neu anstellen, sind Sie dabei wie alle, die jetzt kommen.",
  leave: "Die Schlange verlassen",
  leaveConsequence: "Ihr Platz geht an die nächste Person. Wenn Sie später wiederkommen, beginnen Sie am Ende der Schlange.",
  leaveLobby:
    "Ihr Eintrag bleibt gezählt, aber niemand benutzt seinen Platz. Wenn Sie vor dem Beginn wiederkommen, bekommen Sie einen neuen Eintrag.",
  leaveConfirm: "Ja, meinen Platz aufgeben",
  enter: "Jetzt hineingehen",
  join: "Neu anstellen",
  stay: "Hier bleiben",
  copyLink: "Link kopieren",
  copied: "Kopiert",
  continueHere: "Hier weitermachen",
  tryAgain: "Noch einmal versuchen",
  logIn: "Anmelden",
  invitation: "Ihre Einladung: ihr Link oder der lange Code darin",
  useInvitation: "Diese Einladung benutzen",
  check: "Jetzt nachsehen",
  language: "Sprache",
  updated: "Letzter Stand {time}",
  updatesItself: "Diese Seite aktualisiert sich selbst.",
  pauseUpdates: "Aktualisierung anhalten",
  showUpdates: "Wieder aktualisieren",
  updatesPaused: "Die Aktualisierung ist angehalten. Sie behalten Ihren Platz, und die Seite meldet sich, wenn Sie an der Reihe sind.",
  reloadsItself: "Diese Seite lädt sich regelmäßig neu; Abstand: {time}.",
  reloadsStop: "Neuladen anhalten",
  reloadsOff: "Diese Seite aktualisiert sich nicht selbst.",
  reloadsStart: "Von selbst aktualisieren",
  enteringIn: "Die Seite öffnet sich, noch {time}",
  entering: "Die Seite wird geöffnet …",
  yourTurn: "Sie sind an der Reihe. Die Seite öffnet sich in wenigen Sekunden, oder drücken Sie „Jetzt hineingehen“.",
  yourTurnForm: "Sie sind an der Reihe. Sie können Ihr Formular jetzt senden.",
  stayOn: "Auf dieser Seite bleiben",
  staying: "Sie sind an der Reihe. Diese Seite geht jetzt nicht von selbst hinein.",
  turnEnds: "Zeit zum Hineingehen: {time}",
  moreTime: "Ich brauche mehr Zeit",
  alerts: {
    me: "Aufmerksam machen, wenn ich an der Reihe bin",
    sound: "Ton abspielen",
    vibrate: "Vibrieren",
    notification: "Benachrichtigung anzeigen",
    screen: "Bildschirm anlassen",
    refused: "Ihr Browser erlaubt das nicht.",
  },
  offline: "Sie sind offline. Diese Seite macht weiter, sobald Sie wieder verbunden sind.",
  offlineTab: "Offline",
  noAnswer: "Gerade kommt keine Antwort. Diese Seite versucht es weiter.",
  placeKept: "Sie behalten Ihren Platz.",
  backAgain: "Sie sind wieder verbunden.",
  proof: {
    progress: "Fortschritt der Prüfung",
    working: "Ihr Gerät rechnet etwas aus. Das dauert einige Sekunden, selten ein bis zwei Minuten; Sie brauchen nichts zu tun.",
    done: "{percent} der Prüfung erledigt.",
    shown: "Die Prüfung ist erledigt.",
    again: "Was Ihr Browser gezeigt hat, gilt nicht mehr; deshalb wird noch einmal gefragt.",
    unchecked: "Die Prüfung ist gerade nicht möglich. Diese Seite versucht es weiter; Sie brauchen nichts zu tun.",
    stop: "Prüfung anhalten",
    start: "Prüfung beginnen",
    stopped: "Die Prüfung ist angehalten. Diese Seite versucht dennoch ab und zu, ob Sie ohne sie einen Platz bekommen.",
    failed:
      "Dieser Browser kann die Prüfung nicht ausführen. Diese Seite versucht dennoch ab und zu, ob Sie ohne sie einen Platz bekommen.",
    widget: "Diese Prüfung macht Cloudflare Turnstile.",
    widgetFailed:
      "Die Prüfung ließ sich nicht von challenges.cloudflare.com laden. Wenn etwas diese Adresse sperrt, erlauben Sie sie und beginnen Sie dann neu.",
    noScripts:
      "Die Prüfung braucht JavaScript. Erlauben Sie es für diese Seite, oder lassen Sie sie geöffnet: Sie versucht ab und zu, ob Sie ohne Prüfung einen Platz bekommen.",
  },
  formLost:
    "Was Sie gesendet haben, ist nicht bei der Seite angekommen. Wenn Sie drin sind, öffnet sie sich ohne diese Angaben; bitte senden Sie sie dann von dort noch einmal.",
  formKept:
    "Was Sie gesendet haben, ist nicht bei der Seite angekommen. Bitte lassen Sie diese Seite geöffnet: Sobald Sie drin sind, können Sie es von hier noch einmal senden.",
  formSend: "Noch einmal senden",
  formFirst:
    "Um hineinzukommen, öffnen Sie diese Seite in einem neuen Tab. Wenn die Seite dort offen ist, kommen Sie hierher zurück und senden Sie noch einmal.",
  formOpen: "Diese Seite in einem neuen Tab öffnen",
  sentence: "{text}.",
};
