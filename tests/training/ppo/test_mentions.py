from earsim_training.graphs.mentions import AROUND, BEYOND, NAME, SPANS, WORDS, Instruction

PUT = Instruction("Please put the oil can on the work bench, then close the tin of grease.")


def words(mention):
    """Numbers back as words, for reading."""
    spelled = {number: word for word, number in WORDS.items()} | {NAME: "*", BEYOND: "-"}
    return " ".join(spelled[number] for number in mention.context)


def test_names_are_read_as_one_and_the_same_word():
    other = Instruction("Please put the zither on the spinning wheel, then close the urn of ash.")
    assert other.words == PUT.words


def test_around_a_name_stand_the_words_that_say_what_to_do_with_it():
    assert words(PUT.mention("Oil can")) == "please put on * - - - -"
    assert words(PUT.mention("Work bench")) == "* on then close - - - -"


def test_two_places_of_a_name_are_read():
    twice = Instruction("Put the mug in the box, then close the box again.")
    mention = twice.mention("Box")
    assert (mention.times, words(mention)) == (2, "* in then close then close again -")


def test_a_third_place_is_counted_but_not_read():
    mention = Instruction("box box box").mention("box")
    assert mention.times == 3
    assert len(mention.context) == 2 * AROUND * SPANS


def test_part_of_a_name_is_no_mention():
    mention = PUT.mention("Tin box")
    assert (mention.times, mention.share) == (0, 0.5)
    assert set(mention.context) == {BEYOND}


def test_part_of_a_word_is_no_mention():
    assert PUT.mention("Ease").times == 0


def test_a_verb_is_told_of_the_name_it_stands_by():
    told = Instruction("Take the cup to the study, then turn off the hand lamp.")
    assert told.tells(("turn", "off"))
    assert told.tells_of(("turn", "off"), "Hand lamp")
    assert not told.tells_of(("turn", "off"), "Cup")
    assert not told.tells(("turn", "on"))


def test_an_empty_instruction_speaks_of_nothing():
    nothing = Instruction("")
    assert nothing.words == ()
    assert nothing.mention("Cup").times == 0
    assert nothing.mention("?!").times == 0
