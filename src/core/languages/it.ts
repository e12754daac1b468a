/** The words of the page in Italian. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Stiamo cercando il suo posto", body: ["Ci vogliono pochi secondi. Tenga aperta questa pagina."] },
    "in-app": {
      heading: "È meglio aprire questa pagina nel suo browser",
      body: [
        "Si trova nel browser integrato di un’altra app. Se quell’app chiude questa pagina, il suo posto può andare perso.",
        "Copi il link e lo apra nel browser che usa di solito. Se resta, riceverà qui il suo posto tra {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "Al momento la coda non è raggiungibile",
      body: ["Ora nessuno può mettersi in coda. Questa pagina continua a provare e le darà un posto appena possibile."],
    },
    "storage-full": {
      heading: "La coda non può accogliere nessuno",
      body: ["Se ha un posto, lo conserva. Torni più tardi; anche questa pagina continua a provare."],
    },
    waiting: { heading: "È in coda", body: [] },
    next: { heading: "Il prossimo turno è il suo", body: ["Entrerà appena ci sarà spazio. Resti su questa pagina."] },
    nearly: { heading: "Ci siamo quasi", body: ["Resti su questa pagina e tenga pronti i suoi dati."] },
    slow: { heading: "È in coda", tab: "Più lenta del previsto", body: ["La coda avanza più lentamente del previsto."] },
    "not-moving": { heading: "La coda è ferma", body: ["Al momento non entra nessuno. Conserva il suo posto."] },
    restarted: { heading: "La sala d’attesa è stata riavviata", body: ["La coda è ricominciata e lei ha un nuovo posto."] },
    unreachable: {
      heading: "Al momento la coda non è raggiungibile",
      body: ["Conserva il suo posto. Questa pagina continua a provare; non deve fare nulla."],
    },
    paused: { heading: "La coda è in pausa", body: ["Per ora non entra nessuno. Conserva il suo posto."] },
    called: {
      heading: "È il suo turno",
      tab: "● Il suo turno",
      body: ["Ora può entrare.", "Il suo turno dura ancora {valid}. Poi sarà chiamata la persona successiva."],
    },
    moment: {
      heading: "È il suo turno",
      tab: "● Ingresso",
      body: ["Il sito si aprirà per lei tra {due}. Resti su questa pagina."],
    },
    missed: {
      heading: "Il suo turno è arrivato mentre non c’era",
      tab: "Il prossimo turno è il suo",
      body: [
        "Il prossimo turno è il suo: entrerà appena ci sarà spazio. Resti su questa pagina.",
        "Questa seconda possibilità dura ancora {valid}.",
      ],
    },
    "missed-others": {
      heading: "Il suo turno è arrivato mentre non c’era",
      tab: "È tra i prossimi",
      body: [
        "Entrerà tra i prossimi, dopo altre persone tornate anche loro. Resti su questa pagina.",
        "Questa seconda possibilità dura ancora {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Piacere di rivederla",
      body: [
        "È rimasto inattivo per un po’ e ora non c’è un posto libero. Entrerà tra i prossimi.",
        "Questa seconda possibilità dura ancora {valid}.",
      ],
    },
    inside: { heading: "L’ingresso è aperto", body: ["L’accesso le è stato dato. Può proseguire verso il sito."] },
    "room-off": { heading: "Può entrare", body: ["Non c’è più nessuna coda. Il sito si aprirà per lei tra {due}."] },
    void: {
      heading: "L’ingresso è avvenuto da un’altra finestra",
      body: ["La sua visita prosegue lì. Se continua qui, l’altra finestra si ferma.", "Può continuare qui {takeovers}."],
    },
    "void-final": {
      heading: "L’ingresso è avvenuto da un’altra finestra",
      tab: "La sua visita prosegue altrove",
      body: ["La sua visita prosegue lì. Ha cambiato finestra troppe volte per continuare qui.", rejoin],
    },
    left: { heading: "Ha lasciato la coda", body: [`Il suo posto è passato alla persona successiva. ${rejoin}`] },
    removed: { heading: "Il suo posto è stato annullato", body: [`I gestori di questo sito lo hanno annullato. ${rejoin}`] },
    flushed: {
      heading: "La coda è stata svuotata",
      body: ["I gestori di questo sito hanno annullato tutti i posti. Può rimettersi in coda."],
    },
    "turn-over": { heading: "Il suo turno è passato", body: [`Il suo turno era arrivato e il tempo per tornare è scaduto. ${rejoin}`] },
    "visit-over": { heading: "La sua visita è terminata", body: [`Questa visita è conclusa. ${rejoin}`] },
    "network-changed": {
      heading: "È ancora lei?",
      body: ["La sua connessione è cambiata più volte. Il suo posto è conservato: continui qui, non cambia nient’altro."],
    },
    "place-void": {
      heading: "Il suo posto è occupato",
      body: [`Questo sito ha dovuto cambiare le sue chiavi e un altro browser ha mostrato per primo questo posto. ${rejoin}`],
    },
    ended: { heading: "Il suo posto non è più valido", body: [`Questo posto non è più nella coda. ${rejoin}`] },
    "sold-out": { heading: "Tutto esaurito", body: ["Non entra più nessuno. Non è necessario attendere oltre."] },
    full: {
      heading: "La coda è piena",
      body: ["Al momento non c’è spazio per altre persone. Questa pagina continua a provare e le darà un posto appena ce ne sarà uno."],
    },
    closed: {
      heading: "La coda non accetta altre persone",
      body: ["Al momento nessuno può mettersi in coda. Chi è in coda conserva il posto. Questa pagina continua a provare."],
    },
    "network-limit": {
      heading: "Troppe persone dalla sua rete",
      body: [
        "Molte persone della sua rete si sono appena messe in coda. Scuole, uffici e reti mobili hanno spesso un solo indirizzo in comune.",
        "Questa pagina continua a provare. Un’altra rete, per esempio i dati mobili al posto del wi-fi, può essere più rapida.",
      ],
    },
    "network-refused": {
      heading: "Da questa rete nessuno può mettersi in coda",
      body: [
        "I gestori di questo sito non accettano nessuno dalla rete che sta usando. Un’altra rete può funzionare, per esempio i dati mobili.",
      ],
    },
    challenge: {
      heading: "Prima una breve verifica",
      body: [
        "In questo momento arrivano molte persone nuove. Prima di ricevere un posto, il suo browser mostra di non essere uno dei mille guidati da un robot.",
      ],
    },
    "cookies-needed": {
      heading: "Consenta i cookie",
      body: [
        "Il suo posto è conservato in un cookie. Senza, non possiamo sapere quando arriva il suo turno.",
        "Consenta i cookie per questo sito nelle impostazioni del browser, poi riprovi.",
      ],
    },
    lobby: {
      heading: "È nella sala d’ingresso",
      body: ["Inizio: {starts}.", "Nel luogo dell’evento corrisponde a {startsThere}.", "{entered}", "{random}", "{sealed}"],
    },
    "lobby-line": {
      heading: "È in coda, e non è ancora iniziato",
      body: ["Inizio: {starts}.", "Nel luogo dell’evento corrisponde a {startsThere}.", "Conserva il suo posto."],
    },
    delayed: {
      heading: "Inizia più tardi del previsto",
      body: [
        "Era previsto: {planned}. Nuovo inizio: {starts}.",
        "Nel luogo dell’evento corrisponde a {startsThere}.",
        "La sua presenza è già contata; non deve fare nulla.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Sorteggio dei posti…", body: ["{entered}", "Ci vogliono pochi secondi. Tenga aperta questa pagina."] },
    "awaiting-number": {
      heading: "In attesa del numero casuale pubblico",
      tab: "Sorteggio dei posti…",
      body: [
        "{entered}",
        "L’ordine deriva da un numero casuale pubblico che nessuno conosce ancora. Lo stiamo aspettando.",
        "Di solito arriva entro mezzo minuto. Se tarda troppo, i posti vengono sorteggiati senza, e il verbale del sorteggio lo indica.",
        "Tenga aperta questa pagina.",
      ],
    },
    dealing: {
      heading: "Assegnazione dei posti…",
      body: [
        "Tutte le persone arrivate nello stesso breve intervallo ricevono tra loro un posto casuale. Essere un po’ più veloci non dà alcun vantaggio.",
        "Tenga aperta questa pagina.",
      ],
    },
    cancelled: { heading: "È stato annullato", body: ["I gestori di questo sito lo hanno annullato."] },
    "cancelled-line": {
      heading: "È stato annullato",
      body: ["I gestori di questo sito lo hanno annullato. Conserva il suo posto nella coda normale."],
    },
    "outside-events": { heading: "Ora non è aperto", body: ["Apertura: {opens}.", "Fino ad allora non entra nessuno."] },
    rejected: { heading: "Al momento non entra nessuno", body: ["Non c’è nemmeno una coda in cui mettersi. Torni più tardi."] },
    "left-lobby": {
      heading: "Ha lasciato la sala d’ingresso",
      body: [
        "La sua iscrizione resta contata e il suo posto resta inutilizzato. Se torna prima dell’inizio, riceverà un’altra iscrizione.",
      ],
    },
    "invitation-needed": {
      heading: "Serve un invito",
      body: [
        "Solo chi ha un invito può mettersi in questa coda. Apra il link del suo invito in questo browser.",
        "Se lo ha appena fatto, consenta i cookie per questo sito e riapra il link.",
      ],
    },
    "invitation-bad": {
      heading: "Questo invito non è leggibile",
      body: [
        "Il link potrebbe essere stato tagliato o modificato durante l’invio. Lo riapra dal messaggio con cui è arrivato, o lo copi per intero.",
        "Se non basta, ne chieda uno nuovo a chi l’ha inviato.",
      ],
    },
    "invitation-expired": {
      heading: "Questo invito è scaduto",
      body: ["Il tempo per usarlo è finito. Ne chieda uno nuovo a chi l’ha inviato."],
    },
    "invitation-other-room": {
      heading: "Questo invito è per qualcos’altro",
      body: ["Non apre questa coda. Cerchi l’invito per questa, o chieda a chi l’ha inviato."],
    },
    "invitation-used": {
      heading: "Questo invito è già stato usato",
      body: [
        "Tutti i posti che offre sono occupati. Se uno è il suo, continui nel browser in cui lo ha aperto per la prima volta.",
        "Altrimenti ne chieda uno nuovo a chi l’ha inviato.",
      ],
    },
    "identity-needed": {
      heading: "Prima effettui l’accesso",
      body: ["Solo chi ha effettuato l’accesso può mettersi in questa coda. Acceda, poi torni su questa pagina e riprovi."],
    },
    "identity-bad": {
      heading: "Effettui di nuovo l’accesso",
      body: ["Il suo accesso qui non è valido. Esca, acceda di nuovo, poi torni su questa pagina e riprovi."],
    },
    "identity-expired": {
      heading: "Il suo accesso è scaduto",
      body: ["Il tempo del suo accesso è finito. Acceda di nuovo, poi torni su questa pagina e riprovi."],
    },
    "identity-unchecked": {
      heading: "Al momento non possiamo verificare il suo accesso",
      body: ["Non deve fare nulla: questa pagina continua a provare e le darà un posto appena possibile."],
    },
  },
  ahead: { one: "persona davanti a lei", many: "di persone davanti a lei", other: "persone davanti a lei" },
  aheadReturning: {
    one: "altra persona tornata è davanti a lei",
    many: "di altre persone tornate sono davanti a lei",
    other: "altre persone tornate sono davanti a lei",
  },
  aheadTab: { other: "{n} davanti" },
  aheadSentence: {
    one: "{n} persona è davanti a lei.",
    many: "{n} di persone sono davanti a lei.",
    other: "{n} persone sono davanti a lei.",
  },
  takesIn: "Quando sarà il suo turno, questa pagina la farà entrare.",
  returners: {
    one: "{n} persona che aveva perso il turno è tornata e passa nel frattempo.",
    many: "{n} di persone che avevano perso il turno sono tornate e passano nel frattempo.",
    other: "{n} persone che avevano perso il turno sono tornate e passano nel frattempo.",
  },
  wait: "Attesa stimata: {wait}",
  waitAt: "Attesa stimata: {wait} (verso {clock})",
  rose: "La coda ha rallentato, perciò la stima è più lunga di prima.",
  waitUnknown: "Non possiamo ancora stimare l’attesa.",
  about: "circa {time}",
  lessThan: "meno di {time}",
  moreThan: "più di {time}",
  range: "da {from} a {to}",
  takeovers: { one: "ancora {n} volta", many: "ancora {n} di volte", other: "ancora {n} volte" },
  way: "Il suo percorso nella coda",
  message: "Messaggio del sito",
  messageAt: "Pubblicato: {time}",
  startsIn: "Inizia tra {time}",
  startsNow: "Inizia ora. Il suo posto arriva tra un attimo.",
  entered: { one: "{n} persona iscritta.", many: "{n} di persone iscritte.", other: "{n} persone iscritte." },
  randomPlace:
    "Tutte le persone iscritte fino ad allora ricevono un posto casuale. Una volta aperta la sala d’ingresso, arrivare prima non dà alcun vantaggio.",
  sealed: "Il sorteggio è stato sigillato prima di qualsiasi iscrizione ({commitment}).",
  beaconRule: "Richiede anche un numero casuale pubblico che nasce dopo l’inizio, quindi nessuno può conoscere prima l’ordine.",
  beaconNone: "Non usa un numero casuale pubblico: chi gestisce questa sala avrebbe potuto conoscere prima l’ordine.",
  calendar: "Aggiungi al calendario",
  calendarTurn: "{title}: il suo turno, al più presto",
  howDrawn: "Come funziona il sorteggio",
  checkDraw: "Come è stato sorteggiato il suo posto",
  placeTitle: "Il suo posto",
  placeNotes: [
    "Il suo posto è conservato in questo browser; va perso se cancella i cookie o chiude una finestra privata.",
    "Se chiude questa pagina, conserva il posto. Se non c’è quando arriva il suo turno, ha almeno 10 minuti per tornare ed entrare tra i prossimi.",
    "Entrare non significa che ciò che desidera sia ancora disponibile.",
  ],
  reference: "Codice di riferimento per l’assistenza: {code}",
  rejoin: "Se si rimette in coda, riparte dalla fine.",
  rejoinLobby: "Non è ancora iniziato: se si iscrive di nuovo, partecipa come chiunque arrivi ora.",
  leave: "Lascia la coda",
  leaveConsequence: "Il suo posto passa alla persona successiva. Se torna più tardi, riparte dalla fine della coda.",
  leaveLobby: "La sua iscrizione resta contata, ma nessuno usa il suo posto. Se torna prima dell’inizio, riceverà un’altra iscrizione.",
  leaveConfirm: "Sì, rinuncio al mio posto",
  enter: "Entra ora",
  join: "Rimettiti in coda",
  stay: "Resta qui",
  copyLink: "Copia il link",
  copied: "Copiato",
  continueHere: "Continua qui",
  tryAgain: "Riprova",
  logIn: "Accedi",
  invitation: "Il suo invito: il link, o il lungo codice che contiene",
  useInvitation: "Usa questo invito",
  check: "Controlla ora",
  language: "Lingua",
  updated: "Ultimo aggiornamento {time}",
  updatesItself: "Questa pagina si aggiorna da sola.",
  reloadsItself: "Questa pagina si ricarica da sola ogni {time}.",
  reloadsStop: "Ferma il ricaricamento",
  reloadsOff: "Questa pagina non si aggiorna da sola.",
  reloadsStart: "Aggiorna automaticamente",
  enteringIn: "Il sito si apre tra {time}",
  entering: "Apertura del sito…",
  yourTurn: "È il suo turno. Il sito si apre tra pochi secondi, oppure prema «Entra ora».",
  yourTurnForm: "È il suo turno. Ora può inviare il modulo.",
  offline: "È offline. Questa pagina riprenderà quando tornerà la connessione.",
  offlineTab: "Offline",
  noAnswer: "Nessuna risposta al momento. Questa pagina continua a provare.",
  placeKept: "Conserva il suo posto.",
  backAgain: "La connessione è tornata.",
  proof: {
    progress: "Avanzamento della verifica",
    working: "Il suo dispositivo sta eseguendo un calcolo. Ci vogliono pochi secondi, di rado uno o due minuti; non deve fare nulla.",
    done: "{percent} della verifica completato.",
    shown: "La verifica è completata.",
    again: "Ciò che il suo browser ha mostrato non vale più, quindi viene richiesto ancora una volta.",
    unchecked: "Al momento la verifica non è possibile. Questa pagina continua a provare; non deve fare nulla.",
    stop: "Ferma la verifica",
    start: "Avvia la verifica",
    stopped: "La verifica è ferma. Questa pagina prova comunque ogni tanto a ottenere un posto senza.",
    failed: "Questo browser non può eseguire la verifica. Questa pagina prova comunque ogni tanto a ottenere un posto senza.",
    widget: "Questa verifica è eseguita da Cloudflare Turnstile.",
    widgetFailed:
      "Non è stato possibile caricare la verifica da challenges.cloudflare.com. Se qualcosa blocca quell’indirizzo, lo consenta e riavvii la verifica.",
    noScripts:
      "La verifica richiede JavaScript. Lo consenta per questo sito, o lasci aperta questa pagina: prova ogni tanto a ottenere un posto senza.",
  },
  formLost: "Ciò che ha inviato non è arrivato al sito. Dopo l’ingresso questa pagina si aprirà senza quei dati; li invii di nuovo da lì.",
  formKept: "Ciò che ha inviato non è arrivato al sito. Tenga aperta questa pagina: dopo l’ingresso potrà inviarlo di nuovo da qui.",
  formSend: "Invia di nuovo",
  formFirst: "Per entrare, apra questa pagina in una nuova scheda. Quando il sito sarà aperto lì, torni qui e invii di nuovo.",
  formOpen: "Apri questa pagina in una nuova scheda",
  sentence: "{text}.",
};
