// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {DepositTest} from "./DepositTest.sol";
import {CountingWallet, GasBurner} from "./CoinRecipients.sol";
import {CallbackToken, OpenToken, SecondName, SenderTaxToken, TwoNameToken} from "./HostileTokens.sol";

contract RefundTest is DepositTest {
    function test_onlyTheOperatorRefunds(address caller) public {
        vm.assume(caller != OPERATOR);
        Terms memory terms = usdcDeposit();
        pay(terms, DUE + 5);
        vm.expectRevert(abi.encodeWithSelector(DepositFactory.NotOperator.selector, caller, OPERATOR));
        vm.prank(caller);
        factory.refund(terms, address(usdc), caller, 5);
    }

    function test_aCoveredDepositsMoneyCannotBeRefundedAtAnyTime(uint256 received, uint256 amount, uint256 later)
        public
    {
        Terms memory terms = usdcDeposit();
        received = bound(received, LEAST, DUE);
        pay(terms, received);
        vm.warp(block.timestamp + bound(later, 0, 10_000 days));
        amount = bound(amount, 1, type(uint256).max - 1);
        expectNotRefundable(address(usdc), amount, 0);
        refund(terms, address(usdc), amount);
        factory.settle(terms);
        assertUsdc(MERCHANT, received - platformShare(terms, received), "merchant");
    }

    function test_theExcessGoesBackBeforeSettlementAndTheRestSettles(uint256 excess, uint256 amount) public {
        Terms memory terms = usdcDeposit();
        excess = bound(excess, 1, 1e15);
        amount = bound(amount, 1, excess);
        address forwarder = pay(terms, DUE + excess);
        expectNotRefundable(address(usdc), excess + 1, excess);
        refund(terms, address(usdc), excess + 1);
        refund(terms, address(usdc), amount);
        assertUsdc(PAYER, amount, "payer");
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
        assertUsdc(forwarder, excess - amount, "forwarder");
        expectAlreadySettled(forwarder);
        factory.settle(terms);
    }

    function test_theExcessGoesBackAfterSettlement(uint256 excess) public {
        Terms memory terms = usdcDeposit();
        excess = bound(excess, 1, 1e15);
        pay(terms, DUE + excess);
        factory.settle(terms);
        expectNotRefundable(address(usdc), excess + 1, excess);
        refund(terms, address(usdc), excess + 1);
        refund(terms, address(usdc), excess);
        assertUsdc(PAYER, excess, "payer");
    }

    function test_aShortPaymentGoesBackOnlyAfterTheDeadline(uint256 received) public {
        Terms memory terms = usdcDeposit();
        received = bound(received, 1, LEAST - 1);
        pay(terms, received);
        vm.warp(terms.deadline);
        expectNotRefundable(address(usdc), received, 0);
        refund(terms, address(usdc), received);
        vm.warp(terms.deadline + 1);
        refund(terms, address(usdc), received);
        assertUsdc(PAYER, received, "payer");
    }

    function test_exactlyTheLeastIsTheMerchantsEvenAfterTheDeadline() public {
        Terms memory terms = usdcDeposit();
        pay(terms, LEAST);
        vm.warp(terms.deadline + 1);
        expectNotRefundable(address(usdc), 1, 0);
        refund(terms, address(usdc), 1);
        factory.settle(terms);
        assertUsdc(MERCHANT, LEAST - platformShare(terms, LEAST), "merchant");
    }

    /// @dev Otherwise a stolen operator key could close expired deposits with a dust refund and take what arrives late.
    function test_fullMoneyThatArrivesAfterAShortRefundIsTheMerchants() public {
        Terms memory terms = usdcDeposit();
        pay(terms, 60e6);
        vm.warp(terms.deadline + 1);
        refund(terms, address(usdc), 60e6);
        pay(terms, DUE);
        expectNotRefundable(address(usdc), DUE, 0);
        refund(terms, address(usdc), DUE);
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
    }

    function test_anotherTokenGoesBackAndTheDepositStaysOpen() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, 60e6);
        usdt.mint(forwarder, 7e6);
        refund(terms, address(usdt), 7e6);
        vm.assertEq(usdt.balanceOf(PAYER), 7e6, "payer");
        vm.assertTrue(DepositForwarder(payable(forwarder)).isOpen(), "open");
        expectNotCovered(60e6, LEAST);
        factory.settle(terms);
        vm.assertTrue(DepositForwarder(payable(forwarder)).isOpen(), "still open");
        pay(terms, 40e6);
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
        usdt.mint(forwarder, 3e6);
        refund(terms, address(usdt), 3e6);
        expectAlreadySettled(forwarder);
        factory.settle(terms);
    }

    function test_theChainsOwnCoinGoesBackWheneverItArrived() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        vm.deal(forwarder, 3 ether);
        refund(terms, address(0), 1 ether);
        factory.settle(terms);
        (bool isOk,) = forwarder.call{value: 1 ether}("");
        vm.assertTrue(isOk, "takes the coin");
        refund(terms, address(0), 3 ether);
        vm.assertEq(PAYER.balance, 4 ether, "payer");
        expectNotRefundable(address(0), 1, 0);
        refund(terms, address(0), 1);
    }

    function test_aRecipientWhoBurnsGasGetsNoCoinsAndCostsHardlyMore() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        vm.deal(forwarder, 2 ether);
        address burner = address(new GasBurner());
        uint256 before = gasleft();
        vm.expectRevert(
            abi.encodeWithSelector(DepositForwarder.CoinsRefused.selector, burner, 50_000)
        );
        vm.prank(terms.operator);
        factory.refund(terms, address(0), burner, 1 ether);
        vm.assertTrue(before - gasleft() < 300_000, "gas");
        vm.assertEq(forwarder.balance, 2 ether, "the coins are kept");
        refund(terms, address(0), 2 ether);
        vm.assertEq(PAYER.balance, 2 ether, "another address takes them");
    }

    function test_aRecipientMayUseTheGasThatAWalletOfContractsTakes() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        vm.deal(forwarder, 1 ether);
        address wallet = address(new CountingWallet());
        vm.prank(terms.operator);
        factory.refund(terms, address(0), wallet, 1 ether);
        vm.assertEq(wallet.balance, 1 ether, "wallet");
    }

    function test_onAnotherChainEverythingGoesBack(uint256 received) public {
        Terms memory terms = usdcDeposit();
        received = bound(received, 1, 1e15);
        address forwarder = pay(terms, received);
        vm.deal(forwarder, 1 ether);
        vm.chainId(8453);
        refund(terms, address(usdc), received);
        refund(terms, address(0), 1 ether);
        assertUsdc(PAYER, received, "payer");
        vm.assertEq(PAYER.balance, 1 ether, "payer's coin");
    }

    function test_theSameDepositOnItsOwnChainIsUntouchedByARefundElsewhere() public {
        Terms memory terms = usdcDeposit();
        pay(terms, DUE);
        terms.chainId = 8453;
        address elsewhere = pay(terms, DUE);
        refund(terms, address(usdc), DUE);
        assertUsdc(elsewhere, 0, "the other chain's deposit");
        vm.chainId(8453);
        expectNotCovered(0, LEAST);
        factory.settle(terms);
    }

    function test_moneyIsNotRefundedIntoAHole() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE + 5);
        usdt.mint(forwarder, 5);
        address[5] memory holes = [address(0), forwarder, address(factory), address(usdc), address(usdt)];
        for (uint256 i = 0; i < holes.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(DepositForwarder.BadRefundRecipient.selector, holes[i]));
            vm.prank(OPERATOR);
            factory.refund(terms, address(usdt), holes[i], 5);
        }
        expectNotRefundable(address(usdc), 0, 5);
        refund(terms, address(usdc), 0);
    }

    function test_aRefundThatFailsLeavesNothingBehind() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE + 5);
        usdc.blacklist(PAYER);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        refund(terms, address(usdc), 5);
        vm.assertTrue(forwarder.code.length == 0, "not deployed");
    }

    function test_moneyThatIsDueDoesNotLeaveByTheTokensOtherName() public {
        TwoNameToken token = new TwoNameToken();
        address secondName = address(token.secondName());
        Terms memory terms = depositOf(address(token));
        token.mint(factory.forwarderOf(terms), DUE + 5);
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.DueTokenMoved.selector, DUE, DUE - 1));
        refund(terms, secondName, 6);
        refund(terms, secondName, 5);
        factory.settle(terms);
        vm.assertEq(token.balanceOf(MERCHANT), 98_500_000, "merchant");
    }

    function test_aTokenThatTaxesItsSenderDoesNotEatIntoWhatIsDue() public {
        SenderTaxToken token = new SenderTaxToken();
        Terms memory terms = depositOf(address(token));
        token.mint(factory.forwarderOf(terms), DUE + 110);
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.DueTokenMoved.selector, DUE, DUE - 11));
        refund(terms, address(token), 110);
        refund(terms, address(token), 100);
    }

    function test_aHostileTokenThatIsItsOwnOperatorTakesNothing() public {
        CallbackToken token = new CallbackToken();
        Terms memory terms = usdcDeposit();
        terms.operator = address(token);
        pay(terms, DUE + 5);
        bytes memory takeExcess = abi.encodeCall(factory.refund, (terms, address(usdc), STRANGER, 5));
        _assertShutDuringRefund(token, terms, takeExcess);
        _assertShutDuringRefund(token, terms, abi.encodeCall(factory.settle, (terms)));
        _assertShutDuringRefund(token, terms, abi.encodeCall(factory.payParked, (terms)));
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
    }

    function test_aDueTokenThatCallsBackRefundsItsExcessOnce() public {
        CallbackToken token = new CallbackToken();
        Terms memory terms = depositOf(address(token));
        terms.operator = address(token);
        address forwarder = factory.forwarderOf(terms);
        token.mint(forwarder, DUE + 5);
        _assertShutDuringRefund(token, terms, abi.encodeCall(factory.refund, (terms, address(token), PAYER, 5)));
        vm.assertEq(token.balanceOf(forwarder), DUE, "forwarder");
    }

    function _assertShutDuringRefund(CallbackToken token, Terms memory terms, bytes memory callback) private {
        token.mint(factory.forwarderOf(terms), terms.token == address(token) ? 0 : 5);
        token.setCallback(address(factory), callback);
        token.call(address(factory), abi.encodeCall(factory.refund, (terms, address(token), PAYER, 5)));
        vm.assertTrue(token.hasCalled() && !token.hasSucceeded(), "called back in vain");
        assertUsdc(STRANGER, 0, "stranger");
    }
}
