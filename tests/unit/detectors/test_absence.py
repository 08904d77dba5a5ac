"""Which answers have no score, in the default profile."""

import pytest

from detectors import load_profile
from detectors.absence import AbsenceRule
from detectors.excerpt import Excerpt
from schemas import ScoreStatus
from tests.unit.detectors.factories import answer

PROFILE = load_profile("default")
RULE = AbsenceRule(PROFILE.abstention)

ABSTENTIONS = """
I don't know. | I DON’T KNOW | I do not have enough details to say. | I'm sorry, but I can't help with that. | N/A | Unknown.
Based on the provided context, I cannot determine the price. | The passage doesn't specify when it opened. | No answer found.
There is no information about the price in the documents. | Not mentioned in the context. | This isn't covered in the sources.
None of the documents answers this question. | As an AI language model, I can't browse the web. | I'm not sure.
I couldn't find anything on this. Could you provide more details? | Sorry — nothing about that in the given text.
It isn't something we can tell from these sources. | There's no way to know from the passages. | The passage leaves this open.
Nothing in the documents says how deep it is. | The answer isn't in the material. | The excerpt lacks that detail. | No idea.
Darüber geben die Quellen keine Auskunft. | Le texte n'en dit rien. | Quel dato non è nel documento.
Das weiß ich leider nicht. | Der Kontext enthält keine Angaben zum Preis. | Diese Frage kann ich nicht beantworten.
Je ne sais pas. | Désolé, le contexte ne mentionne pas le prix. | Je n'ai pas trouvé cette information.
No lo sé. | Lo siento, no puedo responder a esa pregunta. | Non lo so. | Mi dispiace, non posso rispondere.
Desculpe, não encontrei essa informação. | Ik weet het niet. | Nie wiem. | Jag vet inte. | Bilmiyorum.
Я не знаю. | لا أعرف. | אני לא יודע.
わかりません。 | 申し訳ありませんが、提供された文書には記載がありません。 | 我不知道。 | 抱歉，根据提供的资料无法回答。 | 모르겠습니다.
Hi! | You are most welcome! Just tell me if there is more. 😊 | You're so very welcome.
Good morning! How are you today? | Thanks for asking! | You're welcome. | Have a great day!
Glad I could help! | No problem.
Guten Tag! Wie kann ich Ihnen helfen? | Gern geschehen! | Bonjour ! Comment puis-je vous aider ?
Merci beaucoup ! | ¡Hola! | こんにちは！ | 你好！
👍 | … | --- | \u200b\ufeff | \x00\x00 | &nbsp; | \x00I can't say.\x00
"""
CLAIMS = """
I don't know the exact depth, but the pump lifts water from seven metres. | I'm sorry, the pump costs 40 euros. | Yes. | No. | 7
The documents do not mention the price. However, the pump is sold in Lisbon by Rillo. | The documents do not need to be signed.
Hollin does not provide refunds after ten days. | Smoking is not allowed in the building. | We do not ship to Norway.
There is no fee for transfers. | No information is needed to open the drawer. | The answer is no. | The kiosk sends no data to the cloud.
The charter isn't something the mayor can publish. | The gate is missing from the plan. | There is no way to reach the island.
Thanks to the blue key, staff can open the drawer. | Welcome to Berlin, the capital of Germany. | Not more than two minutes.
Die Pumpe darf nicht trocken laufen. | Ich weiß es nicht genau, aber die Pumpe kostet 40 Euro. | Es gibt keine Gebühren.
Je ne sais pas, mais la pompe coûte 40 euros. | Il n'y a pas de frais. | No hay gastos de envío. | Non è permesso fumare.
わかりませんが、ポンプの価格は四千円です。 | 営業時間は九時から五時までです。 | 没有费用。 | Не курить.
"""


def _lines(table: str) -> list[str]:
    return [cell.strip(" ") for line in table.strip("\n").split("\n") for cell in line.split("|")]


def _status(**overrides: object) -> ScoreStatus | None:
    given = answer(**overrides)
    return RULE.status(given, Excerpt.of(given, PROFILE.limits))


@pytest.mark.parametrize("response", _lines(ABSTENTIONS))
def test_refusals_greetings_and_wordless_answers_abstain(response: str) -> None:
    assert _status(question="What does it cost?", response=response) is ScoreStatus.ABSTAINED


@pytest.mark.parametrize("response", _lines(CLAIMS))
def test_answers_that_claim_something_do_not(response: str) -> None:
    assert _status(question="What does it cost?", response=response) is None


def test_a_figure_of_the_question_makes_no_claim() -> None:
    refusal = "I cannot find the price for 2024."
    assert _status(question="What was the price in 2024?", response=refusal) is ScoreStatus.ABSTAINED
    assert _status(question="What was the price?", response=refusal) is None


def test_a_refusal_without_contexts_is_a_refusal() -> None:
    assert _status(response="I don't know.", contexts=()) is ScoreStatus.ABSTAINED


@pytest.mark.parametrize("contexts", [(), ("",), (" \n\t", "\u00a0"), ("\u200b",)])
def test_nothing_retrieved_means_no_context(contexts: tuple[str, ...]) -> None:
    assert _status(contexts=contexts) is ScoreStatus.NO_CONTEXT


def test_hidden_text_is_redacted_before_all_else() -> None:
    assert _status(redacted=True, response="", contexts=()) is ScoreStatus.REDACTED
