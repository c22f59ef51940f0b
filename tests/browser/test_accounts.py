"""Accounts on their pages: made with Chromium's own virtual authenticator, used, ended elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.conftest import PHONE, axe
from server.harness import Guest, Running

pytestmark = pytest.mark.browser

PASSWORD = "violet teapot 41 harbour"


@pytest.fixture
def address(house: Running) -> str:
    """Where browsers have passkeys: not by number."""
    return f"http://localhost:{house.port}"


@pytest.fixture
def desk(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(base_url=address, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    with_passkeys(context, page)
    yield page
    context.close()


def with_passkeys(context: BrowserContext, page: Page) -> Any:
    """A device that keeps passkeys and always agrees."""
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    return session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def take_name(page: Page, name: str) -> None:
    page.goto("/account")
    page.get_by_label("Shown to others").fill(name)
    page.get_by_role("button", name="Take this name").click()
    expect(page.get_by_text(f"{name} is free")).to_be_visible()


def create(page: Page) -> str:
    """Keep the code and finish; returns the code."""
    shown = page.get_by_role("img", name="Recovery code").get_attribute("aria-label") or ""
    page.get_by_label("I kept it").check()
    page.get_by_role("button", name="Create the account").click()
    expect(page.get_by_role("heading", name="You are", level=1)).to_be_visible()
    return shown.partition(": ")[2]


def test_a_passkey_makes_the_account_and_signs_in_again(desk: Page) -> None:
    take_name(desk, "Rosalind Passkey")
    desk.get_by_role("button", name="Make a passkey").click()
    expect(desk.get_by_text("The passkey is made.")).to_be_visible()
    create(desk)
    expect(desk.get_by_text("the only one, so it stays")).to_be_visible()
    expect(desk.get_by_text("this one", exact=True)).to_be_visible()
    desk.get_by_role("button", name="Sign out here").click()
    desk.wait_for_url("**/")
    desk.goto("/sign-in")
    desk.get_by_role("button", name="Sign in with a passkey").click()
    expect(desk.get_by_role("heading", name="You are Rosalind Passkey.")).to_be_visible()


def test_a_password_signs_in_elsewhere_brings_matches_and_is_ended_from_here(
    desk: Page, browser: Browser, address: str, complaints: list[str]
) -> None:
    take_name(desk, "Rosalind Password")
    desk.get_by_label("Password", exact=True).fill("password1")
    desk.get_by_role("button", name="Set the password").click()
    desk.get_by_label("I kept it").check()
    desk.get_by_role("button", name="Create the account").click()
    expect(desk.get_by_role("alert").filter(has_text="first guesses").first).to_be_visible()
    complaints.clear()  # of the browser, about the refusal
    desk.get_by_label("Password", exact=True).fill(PASSWORD)
    desk.get_by_role("button", name="Set the password").click()
    create(desk)

    context = browser.new_context(base_url=address, viewport=PHONE, locale="de-DE", reduced_motion="reduce")
    with Guest(address, "Gast") as guest:
        guest.new_table(seats=["human", "bot"])
        [cookie] = [each for each in guest.http.cookies.jar if each.name == "regalia_player"]
    context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": address}])
    phone = context.new_page()
    phone.goto("/sign-in")
    expect(phone.get_by_label("Die 1 Partie von Gast Gast mitnehmen")).to_be_checked()
    phone.get_by_role("textbox", name="Name").first.fill("rosalind password")
    phone.get_by_label("Passwort", exact=True).fill(PASSWORD)
    phone.get_by_role("button", name="Anmelden", exact=True).first.click()
    expect(phone.get_by_text("1 Partie ist mitgekommen.").first).to_be_visible()
    expect(phone.get_by_role("heading", name="Du bist Rosalind Password.")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

    desk.goto("/account")
    desk.get_by_role("button", name="End all others").click()
    expect(desk.get_by_text("All other sessions are ended.").first).to_be_visible()
    expect(phone.get_by_role("heading", name="Behalte deinen Namen.")).to_be_visible()
    context.close()


def test_the_recovery_code_signs_in_and_shows_the_next(desk: Page) -> None:
    take_name(desk, "Rosalind Lost")
    desk.get_by_label("Password", exact=True).fill(PASSWORD)
    desk.get_by_role("button", name="Set the password").click()
    code = create(desk)
    desk.get_by_role("button", name="Sign out here").click()
    desk.wait_for_url("**/")
    desk.goto("/sign-in")
    desk.get_by_text("I lost my key").click()
    form = desk.locator("details form")
    form.get_by_role("textbox", name="Name").fill("Rosalind Lost")
    form.get_by_label("Recovery code").fill(code.lower())
    form.get_by_role("button").click()
    shown = desk.get_by_role("img", name="Recovery code")
    expect(shown).to_be_visible()
    assert code not in (shown.get_attribute("aria-label") or "")


def test_sensitive_things_ask_again_who_is_there(desk: Page, house: Running, complaints: list[str]) -> None:
    take_name(desk, "Rosalind Again")
    desk.get_by_label("Password", exact=True).fill(PASSWORD)
    desk.get_by_role("button", name="Set the password").click()
    create(desk)

    async def grow_old() -> None:
        from regalia.server.ports import Change, Write

        await house.services.store.write(
            Write(changes=[Change("sessions", {"via": "password"}, {"fresh_ms": 0})])
        )
        house.services.known._known.clear()

    house.call(grow_old)
    desk.get_by_role("button", name="Add a passkey").click()
    dialog = desk.get_by_role("dialog", name="Show again that it is you")
    dialog.get_by_label("Password").fill("not the right one")
    dialog.get_by_role("button", name="Go on").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Go on").click()
    expect(desk.get_by_role("button", name="Remove: Passkey")).to_be_visible()
    complaints.clear()  # of the browser, about the refusals
    desk.reload()
    expect(desk.get_by_role("button", name="Remove: Passkey")).to_be_visible()
    assert axe(desk) == []


def test_without_a_secure_address_there_is_no_passkey_and_a_warning(browser: Browser, house: Running) -> None:
    """Chromium trusts 127.0.0.1 as much as https, and our server knows no passkeys by number."""
    context = browser.new_context(base_url=house.base, locale="en-GB")
    page = context.new_page()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto("/sign-in")
    expect(page.get_by_text("This page is not encrypted")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
    page.goto("/account")
    page.get_by_label("Shown to others").fill("Rosalind Plain")
    page.get_by_role("button", name="Take this name").click()
    expect(page.get_by_text("Passkeys need an address with https")).to_be_visible()
    expect(page.get_by_role("button", name="Make a passkey")).to_have_count(0)
    context.close()
